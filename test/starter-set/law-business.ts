import type { AnswersById } from './answers.ts'

export const lawBusinessAnswers: AnswersById = {
  'law-gross-price': { right: '297,50', wrong: ['269', '47,50', '250 × 1,19 = 297,05'] },
  'law-accounting-equation': {
    right: 'The answer is **A) assets = liabilities + equity**.',
    wrong: ['B', 'C) equity = assets + liabilities', 'The correct answer is **D**.'],
  },
  'law-gross-margin': {
    right:
      'Gross profit is $80,000 − $52,000 = $28,000.\n\nGross margin = $28,000 / $80,000 = **35%**.',
    wrong: [
      'Margin = $28,000 / $52,000 = **53.8%**',
      'The gross margin is 65%.',
      'The gross margin is $28,000.',
    ],
  },
  'law-gdpr-name': {
    right: 'GDPR stands for the **General Data Protection Regulation** (Regulation (EU) 2016/679).',
    wrong: [
      'It stands for General Data Privacy Regulation.',
      'It is the Global Data Protection Rules.',
      'GDPR means General Data Protection Rights.',
    ],
  },
  'law-invoice-discount': { right: '1.080,00 €', wrong: ['1.190 €', '120', '1.320'] },
  'law-break-even': {
    right:
      'Contribution per unit: $35 − $21 = $14.\n\nBreak-even: $42,000 / $14 = **3,000 units** a year.',
    wrong: [
      '$42,000 / $35 = **1,200 units**',
      '$42,000 / $21 = 2,000 units.',
      'The break-even point is at 750 units.',
    ],
  },
  'law-depreciation': { right: '6,000', wrong: ['6,857', '7714.29', '$42,000'] },
  'law-breach-notification': {
    right:
      'The controller must notify without undue delay and, where feasible, within **72 hours**.',
    wrong: [
      'It must do so within **24 hours**.',
      'Within 48 hours of becoming aware of it.',
      'The GDPR gives it 30 days, that is 720 hours.',
    ],
  },
  'law-probation-notice': {
    right:
      'Während der Probezeit beträgt die Kündigungsfrist nach § 622 Abs. 3 BGB **zwei Wochen**, ohne festen Endtermin.',
    wrong: [
      'Die Frist beträgt vier Wochen zum Fünfzehnten oder zum Monatsende.',
      'In der Probezeit kann jederzeit fristlos gekündigt werden.',
      'Es gilt eine Frist von einem Monat.',
    ],
  },
  'law-past-consideration': {
    right:
      'Her work was done before the promise.\n\n**Answer: C)** past consideration is no consideration.',
    wrong: [
      'Repairing the fence is consideration, so the answer is B.',
      'A promise binds. **A**',
      'D) it must be in writing',
    ],
  },
  'law-net-present-value': {
    right:
      'Discounted cash flows: 12,962.96 + 15,432.10 + 15,876.64 + 8,820.36 = 53,092.06\nNPV = 53,092.06 − 50,000\n\nAnswer: 3,092',
    wrong: [
      'Sum of cash flows: 64,000 − 50,000\n\nAnswer: 14,000',
      'Answer: 53,092',
      'With a year more of discounting:\n\nAnswer: -841',
    ],
  },
  'law-gdpr-fine': {
    right:
      'Article 83(5) allows up to €20 million or 4% of worldwide turnover, whichever is higher. 4% of €300 million is €12 million, so the maximum is **€20 million**.',
    wrong: [
      '4% of €300 million: the maximum is **€12 million**.',
      'Article 83(4) applies: the answer is €10 million.',
      '2% of the turnover, which is 6 million euros.',
    ],
  },
  'law-postal-rule': {
    right:
      'A revocation takes effect on arrival (Wednesday), an acceptance on posting (Tuesday), even if it is lost.\n\nThe correct answer is **C**.',
    wrong: [
      'The revocation was sent first. The answer is **A**.',
      'B) no contract, because the offer was revoked on Wednesday',
      'The acceptance never arrived, so the answer is D.',
    ],
  },
  'law-bond-price': {
    right:
      'Coupons: 40 × (1 − 1.055⁻⁵)/0.055 = 170.81\nFace value: 1000 / 1.055⁵ = 765.13\n\nAnswer: $935.95',
    wrong: [
      'A bond is priced at par.\n\nAnswer: 1,000.00',
      'Answer: $1,066.78',
      '1000 − 5 × 15 = 925\n\nAnswer: $925.00',
    ],
  },
  'law-trade-credit': {
    right: '(1 + 0.01/0.99)^(365/35) − 1 = 1.010101^10.4286 − 1 ≈ 0.1105\n\nAnswer: 11.1%',
    wrong: [
      'Simple interest: 0.0101 × 365/35 = 10.5%\n\nAnswer: 10.5%',
      '(1.0101)^(365/45) − 1\n\nAnswer: 8.5%',
      'Answer: 1.0%',
    ],
  },
  'law-choice-of-german-law': {
    right: 'B',
    wrong: ['A', 'C', 'Antwort: A, denn die Parteien haben deutsches Recht gewählt.'],
  },
  'law-month-deadline': {
    right:
      'Der Tag der Bekanntgabe zählt nicht mit (§ 187 Abs. 1). Einen 31. Februar gibt es nicht, also endet die Frist am 28. Februar (§ 188 Abs. 3). Das ist ein Samstag, daher verschiebt sie sich nach § 193 auf den Montag.\n\nAntwort: 2. März 2026',
    wrong: [
      'Antwort: 28. Februar 2026',
      'Der Monat hat 31 Tage, also:\n\nAntwort: 3. März 2026',
      'Die Frist beginnt am Montag, dem 2. Februar, also:\n\nAntwort: 1. März 2026',
    ],
  },
  'law-diluted-earnings': {
    right:
      'Basic EPS: 1,200,000 / 500,000 = 2.40.\nOptions: 60,000 × (1 − 20/30) = 20,000 more shares, EPS 2.3077.\nBonds: 45,000 / 15,000 = 3.00 per share, which is antidilutive.\n\nAnswer: $2.31',
    wrong: [
      '(1,200,000 + 45,000) / (500,000 + 20,000 + 15,000) = 2.327\n\nAnswer: 2.33',
      'Answer: 2.40',
      '1,200,000 / 575,000 = 2.087\n\nAnswer: 2.09',
    ],
  },
  'law-full-goodwill': {
    right:
      'Net assets at fair value: 700,000 + 100,000 − 30,000 deferred tax = 770,000.\nGoodwill = 900,000 + 210,000 − 770,000\n\nAnswer: $340,000',
    wrong: [
      '900,000 + 210,000 − 800,000\n\nAnswer: 310,000',
      '900,000 − 80% × 770,000\n\nAnswer: 284,000',
      'Answer: $410,000',
    ],
  },
  'law-rejection-then-acceptance': {
    right:
      'Under § 40, an acceptance sent after a rejection is effective only if it arrives first. It did, on Wednesday.\n\nAnswer: B',
    wrong: [
      'The mailbox rule applies.\n\nAnswer: A',
      'A rejection ends the power of acceptance.\n\nAnswer: C',
      'Answer: D',
    ],
  },
  'law-exit-waterfall': {
    right:
      'Series B takes 10 first, 26 remain. If Series A converts it gets 20% of 26 = 5.2 > 4, so it converts. Series B gets 10 + 6.5 = 16.5 < 20. Common gets 55% of 26.\n\nAnswer: 14.3',
    wrong: [
      '55% of 36 million\n\nAnswer: 19.8',
      '36 − 10 − 4 = 22, of which 55%\n\nAnswer: 12.1',
      '22 × 55/80\n\nAnswer: 15.1',
    ],
  },
}
