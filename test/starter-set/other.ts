import type { AnswersById } from './answers.ts'

export const otherAnswers: AnswersById = {
  'other-leap-february': { right: '29', wrong: ['28', '30', 'It is no leap year: 28 days.'] },
  'other-fahrenheit': {
    right: '25 °C × 9/5 + 32 = 45 + 32 = **77 °F**',
    wrong: ['25 °C × 5/9 + 32 = **45.9 °F**', '25 °C is 57 °F.', '(25 + 32) × 9/5 = 102.6 °F'],
  },
  'other-recipe': { right: '450', wrong: ['400', '500', '300 × 6 = 1800'] },
  'other-odd-one-out': {
    right: 'Sparrow, eagle and penguin are birds; a bat is a mammal. The answer is **C) bat**.',
    wrong: ['Penguins cannot fly, so the answer is **D**.', 'B', 'A) sparrow'],
  },
  'other-opposite-direction': { right: 'East', wrong: ['South', 'West', 'North'] },
  'other-hundred-days': { right: 'Thursday.', wrong: ['Wednesday', 'Friday', 'Tuesday'] },
  'other-family': {
    right:
      'Her mother’s only son is her brother, and he is Karl’s father. She is his aunt.\n\n**B) his aunt**',
    wrong: ['She is his sister, so the answer is A.', 'C) his grandmother', 'D'],
  },
  'other-sequence': { right: '42', wrong: ['40', '44', '36'] },
  'other-tallest': {
    right: '["Inés", "Marta", "Rosa", "Clara", "Julia"]',
    wrong: [
      '["Marta", "Inés", "Rosa", "Clara", "Julia"]',
      '["Inés", "Rosa", "Marta", "Clara", "Julia"]',
      '["Julia", "Clara", "Rosa", "Marta", "Inés"]',
    ],
  },
  'other-tickets': {
    right: '23.80',
    wrong: ['24', '28.80', '38'],
  },
  'other-clock-angle': {
    right: 'Hour hand: 7 × 30 + 35 × 0.5 = 227.5°. Minute hand: 35 × 6 = 210°.\n\nAnswer: 17.5',
    wrong: ['7 × 30 − 35 × 6 = 0\n\nAnswer: 0', 'Answer: 342.5', 'Answer: 32.5'],
  },
  'other-truth-tellers': {
    right: '["B", "D"]',
    wrong: ['["A"]', '["B", "C"]', '["A", "C", "D"]'],
  },
  'other-counting-out': {
    right: 'With J(n) = (J(n − 1) + 5) mod n, J(24) = 2 counted from 0.\n\nAnswer: 3',
    wrong: ['Answer: 2', 'Answer: 14', 'J(24) is 7 + 1.\n\nAnswer: 8'],
  },
  'other-letter-e': {
    right:
      'The 1, reindeer 3, the 1, three 2, eager 2, engineers 3, never 2, went 1, there 2, together 2, except 2, December 3.\n\nAnswer: 24',
    wrong: ['Answer: 23', 'I count 25 times.\n\nAnswer: 25', 'Answer: 21'],
  },
  'other-painted-block': {
    right: '48',
    wrong: ['72', '8', 'Es sind 4 · (5 + 6 + 7) = 72 Würfel.'],
  },
  'other-knight-moves': { right: '4', wrong: ['2', '3', '6'] },
  'other-five-friends': {
    right:
      '```json\n[\n  {"name": "Dirk", "pet": "owl", "drink": "milk"},\n  {"name": "Cleo", "pet": "rat", "drink": "water"},\n  {"name": "Eva", "pet": "fish", "drink": "juice"},\n  {"name": "Ana", "pet": "dog", "drink": "cola"},\n  {"name": "Ben", "pet": "cat", "drink": "tea"}\n]\n```',
    wrong: [
      '[{"name": "Dirk", "pet": "owl", "drink": "juice"}, {"name": "Cleo", "pet": "rat", "drink": "water"}, {"name": "Eva", "pet": "fish", "drink": "milk"}, {"name": "Ana", "pet": "dog", "drink": "cola"}, {"name": "Ben", "pet": "cat", "drink": "tea"}]',
      '[{"name": "Cleo", "pet": "owl", "drink": "milk"}, {"name": "Dirk", "pet": "rat", "drink": "water"}, {"name": "Eva", "pet": "fish", "drink": "juice"}, {"name": "Ana", "pet": "dog", "drink": "cola"}, {"name": "Ben", "pet": "cat", "drink": "tea"}]',
      '[{"name": "Dirk", "pet": "owl", "drink": "milk"}, {"name": "Cleo", "pet": "rat", "drink": "water"}, {"name": "Eva", "pet": "fish", "drink": "juice"}, {"name": "Ana", "pet": "dog", "drink": "tea"}, {"name": "Ben", "pet": "cat", "drink": "cola"}]',
    ],
  },
  'other-lockers': {
    right:
      'A locker is open if it has an odd number of odd divisors, that is if it is 2^a·m² with an odd m: 8 + 5 + 4 + 3 + 2 + 1 + 1.\n\nAnswer: 24',
    wrong: ['The perfect squares up to 200.\n\nAnswer: 14', 'Answer: 100', 'Answer: 7'],
  },
  'other-palindrome-date': {
    right: '2030-02-03',
    wrong: ['2030-03-02', '2026-02-20', '2031-02-13'],
  },
  'other-letter-sum': {
    right: 'G = 1. Trying B = 7 leads to 7483 + 7455 = 14938.\n\nAnswer: 14938',
    wrong: ['Answer: 14983', '7455 + 7483\n\nAnswer: 14,838', 'Answer: 15938'],
  },
  'other-blocked-paths': {
    right:
      'All paths: 924. Through (2, 2): 6 · 70 = 420. Through (4, 3): 35 · 10 = 350. Through both: 6 · 3 · 10 = 180.\n924 − 420 − 350 + 180 = 334\n\nAnswer: 334',
    wrong: ['924 − 420 − 350\n\nAnswer: 154', 'Answer: 364', 'Answer: 514'],
  },
}
