import type { DomainPrompt } from './domain-prompt.ts'

export const mathsPrompts: readonly DomainPrompt[] = [
  {
    id: 'maths-change',
    grade: 1,
    prompt:
      'A notebook costs €3.40. Mara buys 6 notebooks and pays with a €50 note. How much change does she get, in euros?',
    check: { type: 'number', expected: 29.6 },
  },
  {
    id: 'maths-percentage',
    grade: 1,
    prompt: 'What is 15% of 240? Reply with the number only.',
    check: { type: 'number', expected: 36 },
  },
  {
    id: 'maths-train-minutes',
    grade: 1,
    prompt:
      'Ein Zug fährt um 9:48 Uhr ab und kommt um 13:15 Uhr desselben Tages an. Wie viele Minuten dauert die Fahrt? Antworte nur mit der Zahl.',
    check: { type: 'number', expected: 207 },
  },
  {
    id: 'maths-largest-fraction',
    grade: 1,
    prompt:
      'Which of these fractions is the largest?\nA) 5/8\nB) 3/5\nC) 7/11\nD) 2/3\nReply with the letter only.',
    check: { type: 'choice', expected: 'D', options: 'ABCD' },
  },
  {
    id: 'maths-rectangle',
    grade: 1,
    prompt:
      'Le périmètre d’un rectangle est de 46 cm et sa largeur est de 9 cm. Quelle est son aire, en cm² ?',
    check: { type: 'number', expected: 126 },
  },
  {
    id: 'maths-compound-interest',
    grade: 2,
    prompt:
      'CHF 8,000 earn 2.5% interest a year, compounded annually. What is the balance after 4 years, rounded to the centime?',
    check: { type: 'number', expected: 8830.5, absoluteTolerance: 0.01 },
  },
  {
    id: 'maths-two-dice',
    grade: 2,
    prompt:
      'Two fair six-sided dice are rolled. What is the probability that their sum is at least 10? Give a fraction in lowest terms.',
    check: { type: 'number', expected: 0.166667, absoluteTolerance: 0.0005 },
  },
  {
    id: 'maths-fifth-number',
    grade: 2,
    prompt: 'The mean of five numbers is 12. Four of them are 7, 9, 15 and 18. What is the fifth?',
    check: { type: 'number', expected: 11 },
  },
  {
    id: 'maths-linear-system',
    grade: 2,
    prompt:
      'Solve the system 3x + 2y = 16 and 5x − y = 5. Reply with JSON only, in the form {"x": …, "y": …}.',
    check: {
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: { x: { type: 'number' }, y: { type: 'number' } },
        required: ['x', 'y'],
        additionalProperties: false,
      },
      equals: { x: 2, y: 5 },
    },
  },
  {
    id: 'maths-banana',
    grade: 2,
    prompt: 'How many different arrangements do the six letters of the word BANANA have?',
    check: { type: 'number', expected: 60 },
  },
  {
    id: 'maths-last-digits',
    grade: 3,
    prompt:
      'What are the last three digits of 7 to the power of 2026? Reply with the three digits only.',
    check: { type: 'number', expected: 649 },
  },
  {
    id: 'maths-not-divisible',
    grade: 3,
    prompt:
      'How many integers from 1 to 2026 (both included) are divisible by none of 2, 3, 5 and 7? End with a line "Answer: <number>".',
    check: { type: 'number', expected: 462 },
  },
  {
    id: 'maths-two-positive-tests',
    grade: 3,
    prompt:
      'A disease affects 0.8% of a population. A test has a sensitivity of 95% and a specificity of 97%. A random person tests positive twice; given their true state, the two tests are independent. What is the probability that the person has the disease, in percent to one decimal place? End with a line "Answer: <number>%".',
    check: { type: 'number', expected: 89, absoluteTolerance: 0.051 },
  },
  {
    id: 'maths-circular-segment',
    grade: 3,
    prompt:
      'In a circle with radius 13 cm, a chord lies at a distance of 5 cm from the centre. What is the area of the smaller segment that it cuts off, in cm² to one decimal place?',
    check: { type: 'number', expected: 138.7, absoluteTolerance: 0.06 },
  },
  {
    id: 'maths-joint-work',
    grade: 3,
    prompt:
      '甲、乙两人合作完成一项工程需要12天。甲先单独做5天，然后乙加入，两人再一起做9天，恰好完成。甲单独完成这项工程需要多少天？只回答数字。',
    check: { type: 'number', expected: 20 },
  },
  {
    id: 'maths-rising-digits',
    grade: 4,
    prompt:
      'How many five-digit positive integers have digits that never decrease from left to right (such as 11349) and a digit sum divisible by 7? End with a line "Answer: <number>".',
    check: { type: 'number', expected: 184 },
  },
  {
    id: 'maths-no-adjacent-nine',
    grade: 4,
    prompt:
      'In how many permutations of the numbers 1 to 8 do no two neighbours add up to 9? End with a line "Answer: <number>".',
    check: { type: 'number', expected: 13_824 },
  },
  {
    id: 'maths-trailing-zeros',
    grade: 4,
    prompt:
      'What is the smallest positive integer n for which n! ends in at least 1000 zeros? Reply with the number only.',
    check: { type: 'number', expected: 4005 },
  },
  {
    id: 'maths-rolls-to-ten',
    grade: 4,
    prompt:
      'A fair six-sided die is rolled until the sum of all rolls is 10 or more. What is the expected number of rolls, rounded to three decimal places? End with a line "Answer: <number>".',
    check: { type: 'number', expected: 3.324, absoluteTolerance: 0.0006 },
  },
  {
    id: 'maths-unordered-factors',
    grade: 4,
    prompt:
      'In how many ways can 3600 be written as a product a·b·c of three positive integers with a ≤ b ≤ c? End with a line "Answer: <number>".',
    check: { type: 'number', expected: 96 },
  },
  {
    id: 'maths-digit-sum',
    grade: 4,
    prompt:
      'Write down all integers from 1 to 2026 and add up all of their digits. What is the total? Reply with the number only.',
    check: { type: 'number', expected: 28_189 },
  },
]
