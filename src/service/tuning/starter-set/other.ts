import type { DomainPrompt } from './domain-prompt.ts'

export const otherPrompts: readonly DomainPrompt[] = [
  {
    id: 'other-leap-february',
    grade: 1,
    prompt: 'How many days does February 2028 have? Reply with the number only.',
    check: { type: 'number', expected: 29 },
  },
  {
    id: 'other-fahrenheit',
    grade: 1,
    prompt: 'What is 25 °C in degrees Fahrenheit?',
    check: { type: 'number', expected: 77 },
  },
  {
    id: 'other-recipe',
    grade: 1,
    prompt:
      'Une recette pour 4 personnes demande 300 g de farine. Combien de grammes faut-il pour 6 personnes ? Réponds seulement avec le nombre.',
    check: { type: 'number', expected: 450 },
  },
  {
    id: 'other-odd-one-out',
    grade: 1,
    prompt: 'Which one does not belong with the others?\nA) sparrow\nB) eagle\nC) bat\nD) penguin',
    check: { type: 'choice', expected: 'C', options: 'ABCD' },
  },
  {
    id: 'other-opposite-direction',
    grade: 1,
    prompt:
      'You walk north, turn right, turn right again, and then turn left. In which compass direction do you walk now? Reply with one word.',
    check: { type: 'exact', expected: ['east', 'east (E)'] },
  },
  {
    id: 'other-hundred-days',
    grade: 2,
    prompt: 'Today is a Tuesday. Which day of the week is it in 100 days? Reply with the day only.',
    check: { type: 'exact', expected: ['Thursday'] },
  },
  {
    id: 'other-family',
    grade: 2,
    prompt:
      'Pointing at a portrait, Karl says: "Her mother’s only son is my father." Who is the woman in the portrait to Karl?\nA) his sister\nB) his aunt\nC) his grandmother\nD) his cousin',
    check: { type: 'choice', expected: 'B', options: 'ABCD' },
  },
  {
    id: 'other-sequence',
    grade: 2,
    prompt: 'What is the next number: 2, 6, 12, 20, 30, …? Reply with the number only.',
    check: { type: 'number', expected: 42 },
  },
  {
    id: 'other-tallest',
    grade: 2,
    prompt:
      'Inés es más alta que Rosa. Clara es más baja que Rosa, pero más alta que Julia. Marta es más baja que Inés y más alta que Rosa. Ordena a las cinco de la más alta a la más baja y responde solo con un array JSON de los nombres.',
    check: {
      type: 'json_schema',
      schema: { type: 'array', items: { type: 'string' } },
      equals: ['Inés', 'Marta', 'Rosa', 'Clara', 'Julia'],
    },
  },
  {
    id: 'other-tickets',
    grade: 2,
    prompt:
      'A single bus ride costs €2.40, a ten-ride card €19 and a week pass €24. Nils rides to work and back on 6 days. What is the least he can pay, in euros? Reply with the number only.',
    check: { type: 'number', expected: 23.8 },
  },
  {
    id: 'other-clock-angle',
    grade: 3,
    prompt:
      'What is the smaller angle between the hands of a clock at 7:35, in degrees? End with a line "Answer: <number>".',
    check: { type: 'number', expected: 17.5 },
  },
  {
    id: 'other-truth-tellers',
    grade: 3,
    prompt:
      'Each of A, B, C and D either always tells the truth or always lies. A: "Exactly one of the four of us tells the truth." B: "A and C are of the same kind." C: "D is a liar." D: "B and C are of different kinds." Who tells the truth? Reply with a JSON array of their letters, sorted.',
    check: {
      type: 'json_schema',
      schema: { type: 'array', items: { type: 'string' } },
      equals: ['B', 'D'],
    },
  },
  {
    id: 'other-counting-out',
    grade: 3,
    prompt:
      'Twenty-four children stand in a circle, numbered 1 to 24 in order. Counting begins with child 1, and every fifth child leaves the circle (5, 10, 15, 20, then 1, …) until one is left. Which number does the last child have? End with a line "Answer: <number>".',
    check: { type: 'number', expected: 3 },
  },
  {
    id: 'other-letter-e',
    grade: 3,
    prompt:
      'How many times does the letter "e" (in either case) occur in this sentence? End with a line "Answer: <number>".\n\nThe reindeer and the three eager engineers never went there together, except in December.',
    check: { type: 'number', expected: 24 },
  },
  {
    id: 'other-painted-block',
    grade: 3,
    prompt:
      'Ein Holzquader von 5 × 6 × 7 cm wird außen rot angestrichen und dann in Würfel mit 1 cm Kantenlänge zersägt. Wie viele Würfel haben genau zwei rote Flächen? Antworte nur mit der Zahl.',
    check: { type: 'number', expected: 48 },
  },
  {
    id: 'other-knight-moves',
    grade: 3,
    prompt:
      'On an empty chessboard, a knight stands on a1. How many moves does it need at least to reach b2? Reply with the number only.',
    check: { type: 'number', expected: 4 },
  },
  {
    id: 'other-five-friends',
    grade: 4,
    prompt: `Ana, Ben, Cleo, Dirk and Eva sit in a row of five seats. Each has a different pet (cat, dog, fish, owl, rat) and a different drink (cola, juice, milk, tea, water).

1. The owner of the owl sits next to the owner of the rat.
2. Eva sits somewhere to the left of Ana.
3. The owner of the dog sits directly to the left of Ben.
4. Dirk sits directly to the left of the person with water.
5. There is exactly one seat between the owner of the cat and the person with juice.
6. There is exactly one seat between Dirk and Eva.
7. Dirk sits somewhere to the left of the owner of the fish.
8. The owner of the rat sits directly to the left of Eva.
9. The owner of the fish sits directly to the left of the owner of the dog.
10. The person with cola sits directly to the left of the person with tea.

Who sits where? Reply with a JSON array of five objects {"name", "pet", "drink"}, from left to right.`,
    check: {
      type: 'json_schema',
      schema: { type: 'array' },
      equals: [
        { name: 'Dirk', pet: 'owl', drink: 'milk' },
        { name: 'Cleo', pet: 'rat', drink: 'water' },
        { name: 'Eva', pet: 'fish', drink: 'juice' },
        { name: 'Ana', pet: 'dog', drink: 'cola' },
        { name: 'Ben', pet: 'cat', drink: 'tea' },
      ],
    },
  },
  {
    id: 'other-lockers',
    grade: 4,
    prompt:
      'Two hundred lockers, numbered 1 to 200, are closed. One after the other, for each odd number k from 1 to 199, somebody changes every k-th locker (k, 2k, 3k, …): open ones are closed and closed ones opened. How many lockers are open at the end? End with a line "Answer: <number>".',
    check: { type: 'number', expected: 24 },
  },
  {
    id: 'other-palindrome-date',
    grade: 4,
    prompt:
      'Which is the first date after 1 January 2026 that is a palindrome when it is written as DDMMYYYY? Reply with the date only, in the form YYYY-MM-DD.',
    check: { type: 'exact', expected: ['2030-02-03'] },
  },
  {
    id: 'other-letter-sum',
    grade: 4,
    prompt:
      'In the sum BASE + BALL = GAMES, each letter stands for a different digit and no number begins with 0. Which number is GAMES? End with a line "Answer: <number>".',
    check: { type: 'number', expected: 14_938 },
  },
  {
    id: 'other-blocked-paths',
    grade: 4,
    prompt:
      'On a grid, a path leads from (0, 0) to (6, 6) in steps of one unit to the right or up. How many such paths pass through neither (2, 2) nor (4, 3)? End with a line "Answer: <number>".',
    check: { type: 'number', expected: 334 },
  },
]
