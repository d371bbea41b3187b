import type { DomainPrompt } from './domain-prompt.ts'

export const sciencePrompts: readonly DomainPrompt[] = [
  {
    id: 'science-sodium-symbol',
    grade: 1,
    prompt: 'What is the chemical symbol of sodium? Reply with the symbol only.',
    check: { type: 'exact', expected: ['Na'], isCaseSensitive: true },
  },
  {
    id: 'science-insulin-organ',
    grade: 1,
    prompt: 'Which organ of the human body produces insulin?',
    check: { type: 'facts', required: [['pancreas', 'pancreatic']] },
  },
  {
    id: 'science-photosynthesis-gas',
    grade: 1,
    prompt: '植物进行光合作用时会释放哪一种气体？用一句话回答。',
    check: {
      type: 'facts',
      required: [['氧气', 'O2', 'O₂']],
      forbidden: ['释放二氧化碳', '释放氮气'],
    },
  },
  {
    id: 'science-boiling-kelvin',
    grade: 1,
    prompt:
      'At what temperature does water boil at a pressure of one atmosphere, in kelvin? Reply with the number only.',
    check: { type: 'number', expected: 373.15, absoluteTolerance: 0.2 },
  },
  {
    id: 'science-red-blood-cells',
    grade: 1,
    prompt:
      'What do red blood cells mainly transport?\nA) oxygen\nB) glucose\nC) antibodies\nD) hormones\nReply with the letter only.',
    check: { type: 'choice', expected: 'A', options: 'ABCD' },
  },
  {
    id: 'science-saline-mass',
    grade: 2,
    prompt:
      'How many grams of sodium chloride (58.44 g/mol) are in 250 mL of a 0.50 mol/L solution? Give two decimal places.',
    check: { type: 'number', expected: 7.305, absoluteTolerance: 0.006 },
  },
  {
    id: 'science-anaphylaxis',
    grade: 2,
    prompt:
      'What is the first-line drug treatment of anaphylaxis?\nA) an oral antihistamine\nB) intravenous hydrocortisone\nC) intramuscular adrenaline (epinephrine)\nD) inhaled salbutamol',
    check: { type: 'choice', expected: 'C', options: 'ABCD' },
  },
  {
    id: 'science-kinetic-energy',
    grade: 2,
    prompt:
      'Ein Auto mit einer Masse von 1200 kg fährt mit 72 km/h. Wie groß ist seine kinetische Energie in Kilojoule? Antworte nur mit der Zahl.',
    check: { type: 'number', expected: 240, absoluteTolerance: 0.5 },
  },
  {
    id: 'science-paracetamol-antidote',
    grade: 2,
    prompt:
      'Which antidote is given for a paracetamol (acetaminophen) overdose? Name the substance.',
    check: {
      type: 'facts',
      required: [['acetylcysteine', 'N-acetylcysteine', 'N-acetyl cysteine', 'NAC']],
      forbidden: ['naloxone is', 'flumazenil is'],
    },
  },
  {
    id: 'science-decay-chain',
    grade: 2,
    prompt:
      'Uranium-238 decays in several steps to lead-206 by alpha and beta-minus decays only. How many of each are there? Reply with JSON only, in the form {"alpha": …, "beta": …}. (Atomic numbers: U 92, Pb 82.)',
    check: {
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: { alpha: { type: 'integer' }, beta: { type: 'integer' } },
        required: ['alpha', 'beta'],
      },
      equals: { alpha: 8, beta: 6 },
    },
  },
  {
    id: 'science-acetic-acid-ph',
    grade: 3,
    prompt:
      'What is the pH of 0.10 mol/L acetic acid at 25 °C (Ka = 1.8 × 10⁻⁵)? Give two decimal places.',
    check: { type: 'number', expected: 2.875, absoluteTolerance: 0.011 },
  },
  {
    id: 'science-titration-excess',
    grade: 3,
    prompt:
      '25.0 mL of 0.100 mol/L acetic acid are mixed with 40.0 mL of 0.100 mol/L sodium hydroxide at 25 °C. What is the pH of the mixture? Give two decimal places.',
    check: { type: 'number', expected: 12.363, absoluteTolerance: 0.011 },
  },
  {
    id: 'science-carrier-frequency',
    grade: 3,
    prompt:
      'An autosomal recessive disease affects 1 in 2,500 newborns of a population in Hardy–Weinberg equilibrium. What percentage of the population are healthy carriers? Give two decimal places, and end with a line "Answer: <number>%".',
    check: { type: 'number', expected: 3.92, absoluteTolerance: 0.011 },
  },
  {
    id: 'science-relative-speed',
    grade: 3,
    prompt:
      'Seen from a station, two spaceships approach each other head-on at 0.6 c and 0.7 c. At what speed does one approach the other in its own frame of reference, as a fraction of c to three decimal places?',
    check: { type: 'number', expected: 0.915, absoluteTolerance: 0.0011 },
  },
  {
    id: 'science-fena',
    grade: 3,
    prompt:
      'A patient with acute kidney injury who takes no diuretics has: serum sodium 140 mmol/L, serum creatinine 2.5 mg/dL, urine sodium 20 mmol/L, urine creatinine 80 mg/dL. Compute the fractional excretion of sodium. Which cause does it suggest?\nA) acute tubular necrosis, because it is above 2%\nB) a prerenal cause, because it is below 1%\nC) a prerenal cause, because it is between 1% and 2%\nD) obstruction, because it is above 4%',
    check: { type: 'choice', expected: 'B', options: 'ABCD' },
  },
  {
    id: 'science-ice-in-water',
    grade: 3,
    prompt:
      'In an insulated vessel, 50 g of ice at −10 °C are put into 200 g of water at 30 °C. What is the final temperature, in °C to one decimal place? Use c(ice) = 2.1 J/(g·K), c(water) = 4.18 J/(g·K) and a heat of fusion of 334 J/g. End with a line "Answer: <number> °C".',
    check: { type: 'number', expected: 7.0, absoluteTolerance: 0.06 },
  },
  {
    id: 'science-acid-base',
    grade: 4,
    prompt:
      'An arterial blood gas shows pH 7.20, pCO₂ 35 mmHg and bicarbonate 13 mmol/L; sodium is 140, chloride 115 and albumin normal. What is the best description?\nA) high anion gap metabolic acidosis with adequate respiratory compensation\nB) normal anion gap metabolic acidosis with adequate respiratory compensation\nC) normal anion gap metabolic acidosis with an additional respiratory acidosis\nD) high anion gap metabolic acidosis with an additional respiratory acidosis\nE) normal anion gap metabolic acidosis with an additional respiratory alkalosis\nEnd with a line "Answer: <letter>".',
    check: { type: 'choice', expected: 'C', options: 'ABCDE' },
  },
  {
    id: 'science-chloropentane-isomers',
    grade: 4,
    prompt:
      'How many isomers with the formula C₅H₁₁Cl are there, if stereoisomers are counted separately? End with a line "Answer: <number>".',
    check: { type: 'number', expected: 11 },
  },
  {
    id: 'science-haemophilia-risk',
    grade: 4,
    prompt:
      'A woman’s brother has haemophilia A, an X-linked recessive disease, and so had her mother’s brother. The woman has three healthy sons, by a healthy father, and no other children. What is the probability that her next son will have the disease? Give a fraction in lowest terms, and end with a line "Answer: <fraction>".',
    check: { type: 'number', expected: 0.0555556, absoluteTolerance: 0.0003 },
  },
  {
    id: 'science-trihydroxyglutaric',
    grade: 4,
    prompt:
      'How many stereoisomers does 2,3,4-trihydroxypentanedioic acid have, and how many of them are optically active? Reply with JSON only, in the form {"stereoisomers": …, "opticallyActive": …}.',
    check: {
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: {
          stereoisomers: { type: 'integer' },
          opticallyActive: { type: 'integer' },
        },
        required: ['stereoisomers', 'opticallyActive'],
      },
      equals: { stereoisomers: 4, opticallyActive: 2 },
    },
  },
  {
    id: 'science-spring-lift',
    grade: 4,
    prompt:
      'A block of 2 kg hangs at rest from a light spring (200 N/m) in a lift that stands still. The lift suddenly starts to accelerate upwards at a constant 2 m/s² and keeps doing so. Without friction, what is the greatest extension of the spring beyond its natural length, in centimetres? Use g = 10 m/s². End with a line "Answer: <number> cm".',
    check: { type: 'number', expected: 14, absoluteTolerance: 0.05 },
  },
]
