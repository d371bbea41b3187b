import type { AnswersById } from './answers.ts'

export const scienceAnswers: AnswersById = {
  'science-sodium-symbol': { right: 'Na', wrong: ['So', 'The symbol is **S**.', 'NaCl'] },
  'science-insulin-organ': {
    right: 'Insulin is produced by the beta cells of the **pancreas**.',
    wrong: ['The liver produces insulin.', 'Insulin comes from the kidneys.', 'The thyroid gland.'],
  },
  'science-photosynthesis-gas': {
    right: '植物在光合作用中吸收二氧化碳，并释放氧气。',
    wrong: ['植物会释放二氧化碳。', '是氮气。', '植物释放的气体是水蒸气。'],
  },
  'science-boiling-kelvin': { right: '373.15', wrong: ['100', '273.15', '212 °F'] },
  'science-red-blood-cells': { right: 'A', wrong: ['B', 'C) antibodies', 'The answer is D.'] },
  'science-saline-mass': {
    right: 'n = 0.50 mol/L × 0.250 L = 0.125 mol, so m = 0.125 mol × 58.44 g/mol ≈ **7.31 g**.',
    wrong: [
      '0.50 mol × 58.44 g/mol = **29.22 g**',
      'm = 58.44 × 0.25 = 14.61 g',
      'The mass is 7.03 g.',
    ],
  },
  'science-anaphylaxis': {
    right:
      '**C) intramuscular adrenaline (epinephrine)** – antihistamines and steroids are only adjuncts.',
    wrong: [
      'Antihistamines act first, so the answer is A.',
      'B) intravenous hydrocortisone',
      'The first-line treatment is option D.',
    ],
  },
  'science-kinetic-energy': { right: '240', wrong: ['3110,4', '480', 'E = 240000'] },
  'science-paracetamol-antidote': {
    right: 'The antidote is **N‑acetylcysteine** (NAC), which restores glutathione.',
    wrong: [
      'Naloxone.',
      'Activated charcoal is the antidote.',
      'Flumazenil is given intravenously.',
    ],
  },
  'science-decay-chain': {
    right: '{"alpha": 8, "beta": 6}',
    wrong: ['{"alpha": 8, "beta": 10}', '{"alpha": 6, "beta": 8}', '{"alpha": 8, "beta": 4}'],
  },
  'science-acetic-acid-ph': {
    right:
      '[H⁺] ≈ √(Ka·c) = √(1.8 × 10⁻⁶) = 1.34 × 10⁻³ mol/L\n\npH = −log(1.34 × 10⁻³) ≈ **2.87**',
    wrong: [
      'Acetic acid dissociates completely, so pH = −log 0.10 = **1.00**.',
      'pH = pKa = **4.74**',
      'pH = ½·4.74 = 2.37',
    ],
  },
  'science-titration-excess': {
    right:
      'Acid: 2.50 mmol, base: 4.00 mmol. Excess OH⁻: 1.50 mmol in 65.0 mL = 0.0231 mol/L.\n\npOH = 1.64, so the pH is **12.36**.',
    wrong: [
      'Excess OH⁻ is 1.50 mmol in 40.0 mL = 0.0375 mol/L, so pH = **12.57**.',
      'It is a buffer: pH = 4.74 + log(1.5/2.5) = 4.52.',
      'At the equivalence point the pH is 8.72.',
    ],
  },
  'science-carrier-frequency': {
    right:
      'q² = 1/2500, so q = 0.02 and p = 0.98.\n2pq = 2 × 0.98 × 0.02 = 0.0392\n\nAnswer: 3.92%',
    wrong: ['q = 0.02\n\nAnswer: 2.00%', '2q = 0.04\n\nAnswer: 4.00%', 'Answer: 0.04%'],
  },
  'science-relative-speed': {
    right:
      '$$u = \\frac{0.6 + 0.7}{1 + 0.6 \\cdot 0.7} = \\frac{1.3}{1.42} \\approx 0.915$$\n\nThe speed is about **0.915 c**.',
    wrong: [
      'They approach each other at 0.6 + 0.7 = **1.300 c**.',
      'u = (0.7 − 0.6)/(1 − 0.42) = **0.172 c**',
      'Nothing is faster than light, so the answer is 1.000 c.',
    ],
  },
  'science-fena': {
    right:
      'FENa = (20 × 2.5)/(140 × 80) × 100 = 50/11200 × 100 ≈ 0.45%. It is below 1%.\n\nThe answer is **B**.',
    wrong: [
      'FENa = (20 × 80)/(140 × 2.5) = 4.6%, so the answer is **D**.',
      'FENa is about 4.5%, therefore A) acute tubular necrosis.',
      'The answer is C, as the value is 1.4%.',
    ],
  },
  'science-ice-in-water': {
    right:
      'Heat needed to melt the ice: 50·2.1·10 + 50·334 = 17,750 J.\nThe water can give 200·4.18·30 = 25,080 J, so all ice melts.\nT = (25,080 − 17,750)/(250·4.18) = 7.01 °C\n\nAnswer: 7.0 °C',
    wrong: [
      'I neglect the melting: (200·30 − 50·10)/250 = 22.\n\nAnswer: 22.0 °C',
      'T = (25,080 − 16,700)/(250·4.18)\n\nAnswer: 8.0 °C',
      'Not all of the ice melts.\n\nAnswer: 0.0 °C',
    ],
  },
  'science-acid-base': {
    right:
      'The anion gap is 140 − 115 − 13 = 12: normal. Winters’ formula gives an expected pCO₂ of 1.5 × 13 + 8 = 27.5 ± 2 mmHg. The measured 35 mmHg is higher, so there is also a respiratory acidosis.\n\nAnswer: C',
    wrong: [
      'The pCO₂ is below 40, so the lungs compensate.\n\nAnswer: B',
      'The anion gap is high.\n\nAnswer: D',
      'The patient hyperventilates (35 < 40), which is a respiratory alkalosis.\n\nAnswer: E',
    ],
  },
  'science-chloropentane-isomers': {
    right:
      'There are 8 constitutional isomers: 3 from pentane, 4 from 2-methylbutane, 1 from neopentane. Three of them have one stereocentre (2-chloropentane, 1-chloro-2-methylbutane, 2-chloro-3-methylbutane), which adds 3.\n\nAnswer: 11',
    wrong: [
      'There are 3 + 4 + 1 isomers.\n\nAnswer: 8',
      'Four of the eight are chiral.\n\nAnswer: 12',
      'Only 2-chloropentane is chiral.\n\nAnswer: 9',
    ],
  },
  'science-haemophilia-risk': {
    right:
      'Her mother is an obligate carrier, so the prior is 1/2. Given three healthy sons, P(carrier) = (1/2·1/8)/(1/2·1/8 + 1/2) = 1/9. The next son is affected with probability 1/9 · 1/2.\n\nAnswer: 1/18',
    wrong: [
      'P(carrier) = 1/2, so a son is affected with probability 1/4.\n\nAnswer: 1/4',
      'The posterior probability that she is a carrier is 1/9.\n\nAnswer: 1/9',
      'Answer: 1/16',
    ],
  },
  'science-trihydroxyglutaric': {
    right: '```json\n{"stereoisomers": 4, "opticallyActive": 2}\n```',
    wrong: [
      '{"stereoisomers": 8, "opticallyActive": 8}',
      '{"stereoisomers": 4, "opticallyActive": 4}',
      '{"stereoisomers": 3, "opticallyActive": 2}',
    ],
  },
  'science-spring-lift': {
    right:
      'At rest the extension is mg/k = 10 cm. In the accelerating lift the equilibrium is m(g + a)/k = 24/200 m = 12 cm. The block starts 2 cm above it at rest (in the lift’s frame), so it oscillates between 10 cm and 14 cm.\n\nAnswer: 14 cm',
    wrong: [
      'x = m(g + a)/k = 0.12 m\n\nAnswer: 12 cm',
      'By energy: x = 2m(g + a)/k\n\nAnswer: 24 cm',
      'Answer: 10 cm',
    ],
  },
}
