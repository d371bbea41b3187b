/** The kinds of work that prompts ask for. A router estimates each model's quality for each kind. */
export const domainNames = [
  'chat_writing',
  'code',
  'maths_quant',
  'science_medical',
  'law_business',
  'humanities_social',
  'extraction_transform',
  'other',
] as const
export type Domain = (typeof domainNames)[number]
