import type { DomainPrompt } from './domain-prompt.ts'

export const lawBusinessPrompts: readonly DomainPrompt[] = [
  {
    id: 'law-gross-price',
    grade: 1,
    prompt:
      'Ein Produkt kostet netto 250 Euro. Wie hoch ist der Bruttopreis in Euro bei 19 % Mehrwertsteuer? Antworte nur mit der Zahl.',
    check: { type: 'number', expected: 297.5 },
  },
  {
    id: 'law-accounting-equation',
    grade: 1,
    prompt:
      'Which equation does every balance sheet satisfy?\nA) assets = liabilities + equity\nB) assets = revenue − expenses\nC) equity = assets + liabilities\nD) liabilities = assets + equity',
    check: { type: 'choice', expected: 'A', options: 'ABCD' },
  },
  {
    id: 'law-gross-margin',
    grade: 1,
    prompt:
      'A shop has a revenue of $80,000 and a cost of goods sold of $52,000. What is its gross margin, in percent of revenue?',
    check: { type: 'number', expected: 35 },
  },
  {
    id: 'law-gdpr-name',
    grade: 1,
    prompt: 'What does the abbreviation GDPR stand for in European law?',
    check: { type: 'facts', required: [['General Data Protection Regulation']] },
  },
  {
    id: 'law-invoice-discount',
    grade: 1,
    prompt:
      'Una factura de 1.200 € tiene un descuento del 10 % por pronto pago. ¿Cuántos euros hay que pagar? Responde solo con el número.',
    check: { type: 'number', expected: 1080 },
  },
  {
    id: 'law-break-even',
    grade: 2,
    prompt:
      'A product sells for $35 with variable costs of $21 per unit. Fixed costs are $42,000 a year. How many units must be sold a year to break even?',
    check: { type: 'number', expected: 3000 },
  },
  {
    id: 'law-depreciation',
    grade: 2,
    prompt:
      'A machine costs $48,000, has a residual value of $6,000 and is used for 7 years. What is the yearly straight-line depreciation in dollars? Reply with the number only.',
    check: { type: 'number', expected: 6000 },
  },
  {
    id: 'law-breach-notification',
    grade: 2,
    prompt:
      'Within how many hours of becoming aware of it must a controller normally notify the supervisory authority of a personal data breach under Article 33 GDPR?',
    check: { type: 'number', expected: 72 },
  },
  {
    id: 'law-probation-notice',
    grade: 2,
    prompt:
      'Mit welcher Frist kann ein Arbeitsverhältnis in Deutschland während einer vereinbarten Probezeit von höchstens sechs Monaten nach § 622 BGB gekündigt werden?',
    check: {
      type: 'facts',
      required: [['zwei Wochen', '2 Wochen', '14 Tage*', 'zweiwöchig*', 'two weeks']],
      forbidden: ['vier Wochen', '4 Wochen'],
    },
  },
  {
    id: 'law-past-consideration',
    grade: 2,
    prompt:
      'Ann repairs her neighbour’s fence without being asked. A week later he promises to pay her £100 for it. Under the ordinary rule of English contract law, can she enforce the promise?\nA) yes, because a promise is always binding\nB) yes, because she gave good consideration\nC) no, because past consideration is no consideration\nD) no, because contracts of that value must be in writing',
    check: { type: 'choice', expected: 'C', options: 'ABCD' },
  },
  {
    id: 'law-net-present-value',
    grade: 3,
    prompt:
      'A project costs $50,000 today and returns $14,000, $18,000, $20,000 and $12,000 at the ends of years 1 to 4. What is its net present value at a discount rate of 8%, rounded to the dollar? End with a line "Answer: <number>".',
    check: { type: 'number', expected: 3092, absoluteTolerance: 3 },
  },
  {
    id: 'law-gdpr-fine',
    grade: 3,
    prompt:
      'A company with a worldwide annual turnover of €300 million infringed the basic principles of processing (Article 5 GDPR). What is the highest administrative fine that Article 83 allows, in millions of euros?',
    check: { type: 'number', expected: 20 },
  },
  {
    id: 'law-postal-rule',
    grade: 3,
    prompt:
      'Under the postal rule of the common law: on Monday an offeror posts a letter that revokes its offer. On Tuesday the offeree, who does not know of it, posts a letter of acceptance, as the offer invited. On Wednesday the letter of revocation arrives. On Thursday the letter of acceptance is lost in the post. What is the position?\nA) no contract, because the offer was revoked on Monday\nB) no contract, because the offer was revoked on Wednesday, before an acceptance arrived\nC) a contract was formed on Tuesday\nD) no contract, because the acceptance never arrived',
    check: { type: 'choice', expected: 'C', options: 'ABCD' },
  },
  {
    id: 'law-bond-price',
    grade: 3,
    prompt:
      'A bond with a face value of $1,000 pays a 4% coupon once a year and matures in exactly 5 years. What is its price at a yield to maturity of 5.5%, in dollars to two decimal places? End with a line "Answer: <number>".',
    check: { type: 'number', expected: 935.95, absoluteTolerance: 0.02 },
  },
  {
    id: 'law-trade-credit',
    grade: 3,
    prompt:
      'A supplier’s terms are 1/10 net 45. What is the effective annual rate (compounded, 365 days) of not taking the discount and paying on day 45, in percent to one decimal place? End with a line "Answer: <number>%".',
    check: { type: 'number', expected: 11.05, absoluteTolerance: 0.06 },
  },
  {
    id: 'law-choice-of-german-law',
    grade: 3,
    prompt:
      'Ein Hersteller in München verkauft Maschinen an ein Unternehmen in Tokio. Im Vertrag steht nur: "Es gilt deutsches Recht." Welches Recht regelt die Pflichten von Käufer und Verkäufer?\nA) nur BGB und HGB\nB) das UN-Kaufrecht (CISG), ergänzt durch BGB und HGB\nC) das japanische Zivilgesetzbuch\nD) die Rom-II-Verordnung\nAntworte nur mit dem Buchstaben.',
    check: { type: 'choice', expected: 'B', options: 'ABCD' },
  },
  {
    id: 'law-month-deadline',
    grade: 4,
    prompt:
      'Ein Bescheid wird am Samstag, dem 31. Januar 2026, bekannt gegeben. Für den Widerspruch gilt eine Frist von einem Monat; §§ 187 bis 193 BGB sind anzuwenden. An welchem Tag endet die Frist? Beende die Antwort mit einer Zeile "Antwort: <Datum>".',
    check: {
      type: 'facts',
      required: [['2. März*', '2.3.2026', '02.03.2026', '2. 3. 2026', '2026-03-02']],
    },
  },
  {
    id: 'law-diluted-earnings',
    grade: 4,
    prompt:
      'A company has a net income of $1,200,000 and 500,000 weighted average ordinary shares. It has 60,000 options with an exercise price of $20 (average share price: $30), and $1,000,000 of 6% convertible bonds, issued at par, that convert into 15,000 shares. The tax rate is 25%. What are the diluted earnings per share under IAS 33, in dollars to two decimal places? End with a line "Answer: <number>".',
    check: { type: 'number', expected: 2.31, absoluteTolerance: 0.004 },
  },
  {
    id: 'law-full-goodwill',
    grade: 4,
    prompt:
      'A parent buys 80% of a company for $900,000 in cash. The fair value of the non-controlling interest is $210,000. The company’s net assets have a carrying amount of $700,000; its buildings are worth $100,000 more than their carrying amount, and the tax base does not change. The tax rate is 30%. What is the goodwill under IFRS 3 if the non-controlling interest is measured at fair value, in dollars? End with a line "Answer: <number>".',
    check: { type: 'number', expected: 340_000 },
  },
  {
    id: 'law-rejection-then-acceptance',
    grade: 4,
    prompt:
      'Under the US Restatement (Second) of Contracts: an offeree posts a rejection on Monday, changes her mind, and posts an acceptance on Tuesday. The acceptance arrives on Wednesday, the rejection on Thursday. The offeror relied on neither before Friday. What is the position?\nA) a contract was formed on Tuesday, when the acceptance was posted\nB) a contract was formed on Wednesday, when the acceptance arrived\nC) there is no contract, because the rejection was posted first\nD) there is no contract, because the acceptance is only a counter-offer\nEnd with a line "Answer: <letter>".',
    check: { type: 'choice', expected: 'B', options: 'ABCD' },
  },
  {
    id: 'law-exit-waterfall',
    grade: 4,
    prompt:
      'A start-up is sold for $36 million. As converted, Series B holds 25% of the shares, Series A 20% and common stock 55%. Series B invested $10 million and has a senior 1x participating preference, capped at 2x its investment in total. Series A invested $4 million and has a 1x non-participating preference, junior to Series B; it may convert to common instead. Everyone decides in their own best interest. How many million dollars do the holders of common stock receive, to one decimal place? End with a line "Answer: <number>".',
    check: { type: 'number', expected: 14.3, absoluteTolerance: 0.01 },
  },
]
