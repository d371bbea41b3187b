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

/**
 * Probability of each kind, in the order of `domainNames`, from a record that names the likeliest: what
 * they leave belongs to the others alike. All are alike where there is none.
 */
export function domainShares(
  likeliest: readonly (readonly [domain: Domain, probability: number])[],
): number[] {
  const named = new Map(likeliest)
  let left = 1
  for (const probability of named.values()) left -= probability
  const others = domainNames.length - named.size
  const ofEach = others === 0 ? 0 : Math.max(0, left) / others
  return domainNames.map((domain) => named.get(domain) ?? ofEach)
}
