/** The kinds of work a prompt can be; a router estimates for each how good a model is at it. */
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
