import type { AnswersById } from './answers.ts'

export const mathsAnswers: AnswersById = {
  'maths-change': {
    right: 'Six notebooks cost 6 × €3.40 = €20.40. Mara gets €50 − €20.40 = **€29.60** back.',
    wrong: [
      'Six notebooks cost €20.40, so the change is **€30.60**.',
      '€50 − €3.40 = €46.60',
      'The notebooks cost 6 × 3.40 = 21.40, so the answer is €28.60.',
    ],
  },
  'maths-percentage': { right: '36', wrong: ['35', '0.36', '15% of 240 is 240 × 0.15 = 38.'] },
  'maths-train-minutes': {
    right: '207',
    wrong: ['Die Fahrt dauert 3 Stunden und 27 Minuten, also 187 Minuten.', '267', '213'],
  },
  'maths-largest-fraction': {
    right: 'D',
    wrong: ['C', 'The largest fraction is **A) 5/8**.', 'B'],
  },
  'maths-rectangle': {
    right:
      'Le demi-périmètre est de 23 cm, donc la longueur est 23 − 9 = 14 cm.\n\nL’aire est 14 × 9 = **126 cm²**.',
    wrong: [
      'La longueur est 46 − 9 = 37 cm. L’aire est donc 37 × 9 = **333 cm²**.',
      'Longueur : 46 − 18 = 28 cm. Aire = 28 × 9 = 252 cm²',
      'Aire = 14 + 9 = 23 cm²',
    ],
  },
  'maths-compound-interest': {
    right:
      'Use the compound interest formula:\n\n$$A = 8000 \\times (1.025)^4 = 8000 \\times 1.1038128906 = 8830.50$$\n\nThe balance after 4 years is **CHF 8,830.50**.',
    wrong: [
      'Interest is 4 × 2.5% = 10%, so the balance is **CHF 8,800.00**.',
      'After 4 years the balance is CHF 8,615.13.',
      'The balance is CHF 830.50.',
    ],
  },
  'maths-two-dice': {
    right:
      'The sums 10, 11 and 12 can be rolled in 3 + 2 + 1 = 6 of 36 ways.\n\nThe probability is **1/6**.',
    wrong: [
      'Only 11 and 12 count: 3 of 36 outcomes. The probability is **1/12**.',
      'There are 11 sums and 3 of them are at least 10, so the answer is 3/11.',
      'The probability is $\\frac{5}{36}$.',
    ],
  },
  'maths-fifth-number': {
    right: 'The sum must be 5 × 12 = 60. The four numbers add up to 49, so the fifth is 11.',
    wrong: [
      'The sum is 60 and the four numbers add up to 48, so the fifth is 12.',
      'The fifth number is **12.25**.',
      '60 − 51 = 9',
    ],
  },
  'maths-linear-system': {
    right: '```json\n{"x": 2, "y": 5}\n```',
    wrong: ['{"x": 5, "y": 2}', '{"x": 2}', 'x = 2 and y = 5'],
  },
  'maths-banana': {
    right:
      'The letters are A (3 times), N (2 times) and B (once):\n\n$$\\frac{6!}{3!\\,2!\\,1!} = \\frac{720}{12} = 60$$\n\nThere are **60** arrangements.',
    wrong: [
      'There are 6! = 720 arrangements.',
      '6!/3! = **120** arrangements.',
      'The answer is 90.',
    ],
  },
  'maths-last-digits': { right: '649', wrong: ['249', '849', '649 is not it; the answer is 607.'] },
  'maths-not-divisible': {
    right:
      'By inclusion–exclusion over 2, 3, 5 and 7:\n2026 − (1013 + 675 + 405 + 289) + (337 + 202 + 144 + 135 + 96 + 57) − (67 + 48 + 28 + 19) + 9 = 462.\n\nAnswer: 462',
    wrong: [
      'φ(210)/210 × 2026 = 48/210 × 2026 ≈ 463.09.\n\nAnswer: 463',
      'Answer: 453',
      'Numbers divisible by at least one: 1564.\n\nAnswer: 1564',
    ],
  },
  'maths-two-positive-tests': {
    right:
      'P(D)·0.95² = 0.008 × 0.9025 = 0.00722\nP(not D)·0.03² = 0.992 × 0.0009 = 0.0008928\n\n0.00722 / 0.0081128 = 0.88995\n\nAnswer: 89.0%',
    wrong: [
      'Using Bayes once: 0.0076 / (0.0076 + 0.02976) = 0.203.\n\nAnswer: 20.3%',
      'Both tests are right with probability 0.95² = 0.9025.\n\nAnswer: 90.3%',
      'Answer: 99.9%',
    ],
  },
  'maths-circular-segment': {
    right:
      'The half-angle is arccos(5/13) ≈ 1.1760 rad.\nSector: 169 × 1.1760 = 198.745. Triangle: 5 × 12 = 60.\n\nThe area of the segment is about **138.7 cm²**.',
    wrong: [
      'The sector has 198.7 cm² and the triangle 30 cm², so the segment has **168.7 cm²**.',
      'The area is 198.7 cm².',
      'The area of the larger segment minus … gives **392.2 cm²**.',
    ],
  },
  'maths-joint-work': {
    right: '20',
    wrong: ['设甲的效率为x，5x + 9/12 = 1，x = 1/15，所以答案是15天。', '30', '24'],
  },
  'maths-rising-digits': {
    right:
      'The digits are 1 to 9 with repetition, 1287 multisets in total. Counting those with a digit sum of 7, 14, 21, 28, 35 or 42 gives 184.\n\nAnswer: 184',
    wrong: [
      '1287 / 7 ≈ 183.9, and checking small cases gives\n\nAnswer: 183',
      'Answer: 286',
      'Answer: 1287',
    ],
  },
  'maths-no-adjacent-nine': {
    right:
      'The pairs are (1,8), (2,7), (3,6) and (4,5). Inclusion–exclusion:\n8! − 4·2·7! + 6·4·6! − 4·8·5! + 16·4! = 40320 − 40320 + 17280 − 3840 + 384 = 13824.\n\n**Answer: 13824**',
    wrong: [
      '8! − 4·2·7! + 6·4·6! = 17280\n\nAnswer: 17280',
      'Answer: 9,360',
      '8! / 2 = 20160\n\nAnswer: 20160',
    ],
  },
  'maths-trailing-zeros': {
    right: '4005',
    wrong: ['4000', 'Each block of 25 gives 6 zeros, so n = **4010**.', '4025'],
  },
  'maths-rolls-to-ten': {
    right:
      'Let E(s) be the expected number of further rolls at sum s. Working back from E(9) = 1 gives E(0) = 33495175/10077696 ≈ 3.3237.\n\nAnswer: 3.324',
    wrong: [
      'A die gives 3.5 on average, so 10 / 3.5 = 2.857.\n\nAnswer: 2.857',
      'Answer: 3.333',
      'By the renewal theorem 10/3.5 + 0.476 ≈ 3.33.\n\nAnswer: 3.330',
    ],
  },
  'maths-unordered-factors': {
    right:
      'Ordered triples: C(6,2)·C(4,2)·C(4,2) = 15·6·6 = 540. Triples with a = b: 12 square divisors a² of 3600. No cube.\n(540 + 3·12) / 6 = 96.\n\nAnswer: 96',
    wrong: ['540 / 6 = 90.\n\nAnswer: 90', 'Answer: 540', 'Answer: 93'],
  },
  'maths-digit-sum': {
    right: '28189',
    wrong: ['28,170', 'The total is **28,001**.', '27 189'],
  },
}
