import type { DomainPrompt } from './domain-prompt.ts'

export const humanitiesPrompts: readonly DomainPrompt[] = [
  {
    id: 'humanities-don-quixote',
    grade: 1,
    prompt: 'Who wrote Don Quixote?',
    check: { type: 'facts', required: [['Cervantes']] },
  },
  {
    id: 'humanities-berlin-wall',
    grade: 1,
    prompt: 'In which year did the Berlin Wall fall? Reply with the year only.',
    check: { type: 'number', expected: 1989 },
  },
  {
    id: 'humanities-las-meninas',
    grade: 1,
    prompt: '¿Quién pintó «Las meninas»? Responde con una frase.',
    check: { type: 'facts', required: [['Velázquez']] },
  },
  {
    id: 'humanities-haiku',
    grade: 1,
    prompt:
      'How many syllables (morae) do the three lines of a traditional haiku have?\nA) 7, 5, 7\nB) 5, 7, 5\nC) 5, 5, 7\nD) 8, 6, 8\nReply with the letter only.',
    check: { type: 'choice', expected: 'B', options: 'ABCD' },
  },
  {
    id: 'humanities-australia',
    grade: 1,
    prompt: 'What is the capital of Australia?',
    check: { type: 'facts', required: [['Canberra']] },
  },
  {
    id: 'humanities-order-of-events',
    grade: 2,
    prompt:
      'Put these events in chronological order: "Peace of Westphalia", "Magna Carta", "Congress of Vienna", "Fall of Constantinople", "French Revolution". Reply with a JSON array of the five strings, earliest first.',
    check: {
      type: 'json_schema',
      schema: { type: 'array', items: { type: 'string' }, minItems: 5, maxItems: 5 },
      equals: [
        'Magna Carta',
        'Fall of Constantinople',
        'Peace of Westphalia',
        'French Revolution',
        'Congress of Vienna',
      ],
    },
  },
  {
    id: 'humanities-red-chamber',
    grade: 2,
    prompt: '一般认为，《红楼梦》前八十回的作者是谁？用一句话回答。',
    check: { type: 'facts', required: [['曹雪芹', '曹霑']] },
  },
  {
    id: 'humanities-price-ceiling',
    grade: 2,
    prompt:
      'A government sets a maximum rent below the market equilibrium. What does the standard supply-and-demand model predict?\nA) a surplus of flats\nB) a shortage of flats\nC) no change, because the ceiling does not bind\nD) a higher equilibrium rent',
    check: { type: 'choice', expected: 'B', options: 'ABCD' },
  },
  {
    id: 'humanities-straw-man',
    grade: 2,
    prompt:
      '"My colleague wants shorter meetings. But a company in which nobody ever talks to anybody cannot survive, so she is wrong." Which fallacy is this?\nA) ad hominem\nB) appeal to authority\nC) straw man\nD) circular reasoning\nE) slippery slope',
    check: { type: 'choice', expected: 'C', options: 'ABCDE' },
  },
  {
    id: 'humanities-october-revolution',
    grade: 2,
    prompt:
      'Die russische Oktoberrevolution begann am 25. Oktober 1917 des damals in Russland geltenden julianischen Kalenders. Welches Datum ist das im gregorianischen Kalender?',
    check: {
      type: 'facts',
      required: [['7. November*', '7.11.*', '07.11.*', '7 November', 'November 7*']],
      forbidden: ['6. November 1917', '8. November 1917'],
    },
  },
  {
    id: 'humanities-westphalia',
    grade: 3,
    prompt:
      'In which two cities were the treaties of the Peace of Westphalia signed in 1648, and with which power did the Emperor make peace in each of them?',
    check: {
      type: 'facts',
      required: [
        ['Osnabrück', 'Osnabrueck'],
        ['Münster', 'Muenster'],
        ['Sweden', 'Swedish'],
        ['France', 'French'],
      ],
      forbidden: ['Osnabrück with France', 'Münster with Sweden'],
    },
  },
  {
    id: 'humanities-electors',
    grade: 3,
    prompt:
      'Nenne alle sieben Kurfürsten, die die Goldene Bulle von 1356 festlegte (jeweils das Erzbistum oder das weltliche Territorium).',
    check: {
      type: 'facts',
      required: [
        ['Mainz*'],
        ['Köln*', 'Cologne'],
        ['Trier*'],
        ['Böhmen*', 'böhmisch*', 'Bohemia'],
        ['Pfalz*', 'Rheinpfalz', 'pfälzisch*', 'Kurpfalz'],
        ['Sachsen*', 'sächsisch*'],
        ['Brandenburg*'],
      ],
      forbidden: ['Bayern', 'Hannover', 'Salzburg', 'Österreich', 'Hessen', 'Württemberg'],
    },
  },
  {
    id: 'humanities-seats',
    grade: 3,
    prompt:
      'Four parties receive these votes: P 48,000, Q 26,000, R 17,500, S 8,500. Nine seats are allocated. How many seats does each party get by the D’Hondt method (divisors 1, 2, 3, …) and by the Sainte-Laguë method (divisors 1, 3, 5, …)? Reply with JSON only, in the form {"dhondt": {"P": …, "Q": …, "R": …, "S": …}, "sainteLague": {"P": …, "Q": …, "R": …, "S": …}}.',
    check: {
      type: 'json_schema',
      schema: { type: 'object', required: ['dhondt', 'sainteLague'] },
      equals: { dhondt: { P: 5, Q: 2, R: 2, S: 0 }, sainteLague: { P: 4, Q: 2, R: 2, S: 1 } },
    },
  },
  {
    id: 'humanities-kappa',
    grade: 3,
    prompt:
      'Two coders sort 100 texts as "populist" or "not populist". Both say "populist" for 45 texts and both "not populist" for 30. The first coder alone says "populist" for 15, the second alone for 10. What is Cohen’s kappa, to two decimal places? End with a line "Answer: <number>".',
    check: { type: 'number', expected: 0.49, absoluteTolerance: 0.004 },
  },
  {
    id: 'humanities-syllogism',
    grade: 3,
    prompt:
      'Which of these syllogisms is valid in the traditional sense?\nA) All M are P. No S is M. So no S is P.\nB) Some M are P. All M are S. So some S are P.\nC) All P are M. All S are M. So all S are P.\nD) Some P are not M. All M are S. So some S are not P.\nEnd with a line "Answer: <letter>".',
    check: { type: 'choice', expected: 'B', options: 'ABCD' },
  },
  {
    id: 'humanities-modal-logic',
    grade: 3,
    prompt:
      'Which of these formulas is valid in the modal logic S4 but not in the logic T?\nA) □p → p\nB) □p → □□p\nC) ◇p → □◇p\nD) p → □◇p',
    check: { type: 'choice', expected: 'B', options: 'ABCD' },
  },
  {
    id: 'humanities-four-winners',
    grade: 4,
    prompt:
      'Voters rank four candidates: 10 voters B>A>C>D, 3 voters C>B>A>D, 6 voters C>A>B>D, 7 voters A>D>C>B, 11 voters D>C>A>B. Who wins by plurality, by instant-runoff voting, by the Borda count, and who is the Condorcet winner? Reply with JSON only, in the form {"plurality": "…", "instantRunoff": "…", "borda": "…", "condorcet": "…"}.',
    check: {
      type: 'json_schema',
      schema: {
        type: 'object',
        required: ['plurality', 'instantRunoff', 'borda', 'condorcet'],
        additionalProperties: { type: 'string' },
      },
      equals: { plurality: 'D', instantRunoff: 'B', borda: 'A', condorcet: 'C' },
    },
  },
  {
    id: 'humanities-roman-dates',
    grade: 4,
    prompt:
      'Convert these Roman dates of a common year (Julian calendar) to month and day: "a.d. XVI Kal. Apr.", "a.d. III Non. Oct.", "a.d. IV Id. Sept.", "a.d. XIII Kal. Mart.". Reply with a JSON array of four strings in the form "MM-DD", in this order.',
    check: {
      type: 'json_schema',
      schema: { type: 'array', items: { type: 'string' } },
      equals: ['03-17', '10-05', '09-10', '02-17'],
    },
  },
  {
    id: 'humanities-edgehill',
    grade: 4,
    prompt:
      'The battle of Edgehill was fought on 23 October 1642 by the Julian calendar, which England then used. Which date is that in the Gregorian calendar, and which day of the week was it? Reply with JSON only, in the form {"gregorian": "YYYY-MM-DD", "weekday": "…"} with the English name of the day.',
    check: {
      type: 'json_schema',
      schema: { type: 'object', required: ['gregorian', 'weekday'] },
      equals: { gregorian: '1642-11-02', weekday: 'Sunday' },
    },
  },
  {
    id: 'humanities-fisher-index',
    grade: 4,
    prompt:
      'A statistician prices three goods. Base year: bread 2.00 (100 units), wine 5.00 (40 units), cloth 10.00 (20 units). Current year: bread 2.50 (90 units), wine 4.00 (60 units), cloth 13.00 (18 units). What is the Fisher price index of the current year (base year = 100), to two decimal places? End with a line "Answer: <number>".',
    check: { type: 'number', expected: 108.75, absoluteTolerance: 0.011 },
  },
  {
    id: 'humanities-mixed-equilibrium',
    grade: 4,
    prompt:
      'In a two-player game, Row chooses U or D and Column chooses L or R. Payoffs (Row, Column): (U, L) = (5, 2), (U, R) = (0, 4), (D, L) = (1, 3), (D, R) = (2, 0). In the only Nash equilibrium, with which probability does Column play L? Give a fraction in lowest terms, and end with a line "Answer: <fraction>".',
    check: { type: 'number', expected: 0.333333, absoluteTolerance: 0.001 },
  },
]
