import type { AnswersById } from './answers.ts'

export const humanitiesAnswers: AnswersById = {
  'humanities-don-quixote': {
    right: '*Don Quixote* was written by **Miguel de Cervantes** and published in 1605 and 1615.',
    wrong: [
      'It was written by Lope de Vega.',
      'Gabriel García Márquez wrote it.',
      'Don Quixote is by Francisco de Quevedo.',
    ],
  },
  'humanities-berlin-wall': { right: '1989', wrong: ['1990', '1991', 'It was built in 1961.'] },
  'humanities-las-meninas': {
    right: 'La obra «Las meninas» fue pintada por Diego Velazquez en 1656.',
    wrong: [
      'La pintó Francisco de Goya.',
      'Fue pintada por El Greco.',
      '«Las meninas» es un cuadro de Pablo Picasso.',
    ],
  },
  'humanities-haiku': { right: 'B', wrong: ['A', 'C', 'D) 8, 6, 8'] },
  'humanities-australia': {
    right: 'The capital of Australia is **Canberra** (not Sydney, its largest city).',
    wrong: ['Sydney', 'The capital is Melbourne.', 'It is Brisbane.'],
  },
  'humanities-order-of-events': {
    right:
      '```json\n["Magna Carta", "Fall of Constantinople", "Peace of Westphalia", "French Revolution", "Congress of Vienna"]\n```',
    wrong: [
      '["Fall of Constantinople", "Magna Carta", "Peace of Westphalia", "French Revolution", "Congress of Vienna"]',
      '["Magna Carta", "Fall of Constantinople", "Peace of Westphalia", "Congress of Vienna", "French Revolution"]',
      '["Magna Carta", "Peace of Westphalia", "French Revolution", "Congress of Vienna"]',
    ],
  },
  'humanities-red-chamber': {
    right: '《红楼梦》前八十回的作者一般认为是曹雪芹。',
    wrong: ['作者是罗贯中。', '一般认为是高鹗。', '《红楼梦》是吴承恩写的。'],
  },
  'humanities-price-ceiling': {
    right: 'At the lower rent, demand exceeds supply: the answer is **B) a shortage of flats**.',
    wrong: ['A) a surplus of flats', 'The answer is C.', '**D**'],
  },
  'humanities-straw-man': {
    right: 'The speaker attacks a position that the colleague does not hold.\n\n**C) straw man**',
    wrong: [
      'It attacks the colleague herself: **A) ad hominem**.',
      'One thing leads to another, so the answer is E.',
      'D',
    ],
  },
  'humanities-october-revolution': {
    right:
      'Der Unterschied betrug damals 13 Tage. Der 25. Oktober 1917 ist also der **7. November 1917**.',
    wrong: [
      'Der Unterschied betrug 12 Tage, es ist der 6. November 1917.',
      'Das ist der 12. Oktober 1917.',
      'Das entspricht dem 4. November 1917.',
    ],
  },
  'humanities-westphalia': {
    right:
      'The Emperor signed the Treaty of **Osnabrück** with Sweden and the Treaty of **Münster** with France.',
    wrong: [
      'Both treaties were signed in Münster, with France and Sweden.',
      'They were signed in Cologne (with Sweden) and Münster (with France).',
      'They were signed in Osnabrück and Münster, with Denmark and Spain.',
    ],
  },
  'humanities-electors': {
    right:
      'Geistliche Kurfürsten:\n1. Erzbischof von Mainz\n2. Erzbischof von Köln\n3. Erzbischof von Trier\n\nWeltliche Kurfürsten:\n4. König von Böhmen\n5. Pfalzgraf bei Rhein\n6. Herzog von Sachsen-Wittenberg\n7. Markgraf von Brandenburg',
    wrong: [
      'Mainz, Köln, Trier, Böhmen, Bayern, Sachsen und Brandenburg.',
      'Mainz, Köln, Salzburg, Böhmen, Pfalz, Sachsen, Brandenburg',
      'Mainz, Köln, Trier, Pfalz, Sachsen und Brandenburg.',
    ],
  },
  'humanities-seats': {
    right:
      '{"dhondt": {"P": 5, "Q": 2, "R": 2, "S": 0}, "sainteLague": {"P": 4, "Q": 2, "R": 2, "S": 1}}',
    wrong: [
      '{"dhondt": {"P": 4, "Q": 2, "R": 2, "S": 1}, "sainteLague": {"P": 4, "Q": 2, "R": 2, "S": 1}}',
      '{"dhondt": {"P": 5, "Q": 3, "R": 1, "S": 0}, "sainteLague": {"P": 4, "Q": 2, "R": 2, "S": 1}}',
      '{"dhondt": {"P": 5, "Q": 2, "R": 2, "S": 0}, "sainteLague": {"P": 4, "Q": 3, "R": 1, "S": 1}}',
    ],
  },
  'humanities-kappa': {
    right:
      'Observed agreement: 0.75. Expected: 0.60 × 0.55 + 0.40 × 0.45 = 0.51.\nκ = (0.75 − 0.51) / (1 − 0.51) = 0.24/0.49\n\nAnswer: 0.49',
    wrong: [
      'They agree on 75 of 100 texts.\n\nAnswer: 0.75',
      'κ = (0.75 − 0.5)/0.5\n\nAnswer: 0.50',
      'Answer: 0.24',
    ],
  },
  'humanities-syllogism': {
    right:
      'B is Disamis of the third figure: the M that are P are also S. A commits illicit major, C has an undistributed middle.\n\nAnswer: B',
    wrong: [
      'All M are P and S is outside of M.\n\nAnswer: A',
      'Both S and P are M.\n\nAnswer: C',
      'Answer: D',
    ],
  },
  'humanities-modal-logic': {
    right: 'Axiom 4 needs transitivity: **B) □p → □□p**.',
    wrong: ['A) □p → p', 'The answer is C, the characteristic axiom of S4.', 'D'],
  },
  'humanities-four-winners': {
    right: '```json\n{"plurality": "D", "instantRunoff": "B", "borda": "A", "condorcet": "C"}\n```',
    wrong: [
      '{"plurality": "D", "instantRunoff": "D", "borda": "A", "condorcet": "C"}',
      '{"plurality": "D", "instantRunoff": "B", "borda": "C", "condorcet": "C"}',
      '{"plurality": "D", "instantRunoff": "B", "borda": "A", "condorcet": "A"}',
    ],
  },
  'humanities-roman-dates': {
    right: '["03-17", "10-05", "09-10", "02-17"]',
    wrong: [
      '["03-16", "10-04", "09-09", "02-16"]',
      '["03-17", "10-03", "09-10", "02-17"]',
      '["03-17", "10-05", "09-10", "02-18"]',
    ],
  },
  'humanities-edgehill': {
    right: '{"gregorian": "1642-11-02", "weekday": "Sunday"}',
    wrong: [
      '{"gregorian": "1642-11-03", "weekday": "Monday"}',
      '{"gregorian": "1642-11-02", "weekday": "Thursday"}',
      '{"gregorian": "1642-10-13", "weekday": "Sunday"}',
    ],
  },
  'humanities-fisher-index': {
    right:
      'Laspeyres: 670/600 = 111.67. Paasche: 699/660 = 105.91.\nFisher = √(111.67 × 105.91) = 108.75\n\nAnswer: 108.75',
    wrong: [
      'Laspeyres: 670/600\n\nAnswer: 111.67',
      '(111.67 + 105.91) / 2\n\nAnswer: 108.79',
      'Answer: 116.50',
    ],
  },
  'humanities-mixed-equilibrium': {
    right: 'Row must be indifferent: 5q = q + 2(1 − q), so 5q = 2 − q and q = 1/3.\n\nAnswer: 1/3',
    wrong: [
      'Column must be indifferent: 2p + 3(1 − p) = 4p, so p = 3/5.\n\nAnswer: 3/5',
      'Answer: 2/3',
      'Both mix evenly.\n\nAnswer: 1/2',
    ],
  },
}
