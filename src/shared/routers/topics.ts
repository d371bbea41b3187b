/**
 * The domains, split into topics. Models differ more between physics and biology than between two domains, so
 * quality is learned by topic; people and the wire see the domain.
 */
import { domainNames, type Domain } from '../app/domains.ts'

const domainByTopic = {
  conversation: 'chat_writing',
  writing: 'chat_writing',
  code_editing: 'code',
  code_writing: 'code',
  code_tracing: 'code',
  computer_science: 'code',
  word_problems: 'maths_quant',
  formal_maths: 'maths_quant',
  logic_puzzles: 'maths_quant',
  physics: 'science_medical',
  chemistry: 'science_medical',
  biology: 'science_medical',
  medicine: 'science_medical',
  engineering: 'science_medical',
  everyday_science: 'science_medical',
  research_science: 'science_medical',
  law: 'law_business',
  business: 'law_business',
  economics: 'law_business',
  psychology: 'humanities_social',
  history: 'humanities_social',
  philosophy: 'humanities_social',
  extraction: 'extraction_transform',
  transformation: 'extraction_transform',
  trivia: 'other',
  everyday: 'other',
  miscellany: 'other',
} as const satisfies Record<string, Domain>

export type Topic = keyof typeof domainByTopic

// `Object.keys` loses the type of the record above, and that it is not empty.
export const topicNames = Object.keys(domainByTopic) as readonly Topic[] as readonly [
  Topic,
  ...Topic[],
]

/** Index in `domainNames` of each topic's domain. */
export const domainOfTopic: readonly number[] = Object.values(domainByTopic).map((domain) =>
  domainNames.indexOf(domain),
)

const placeOfTopic: ReadonlyMap<Topic, number> = new Map(
  topicNames.map((topic, place) => [topic, place]),
)
/** Created once, because most requests use a router with one model and need no classification. */
const alike: readonly number[] = topicNames.map(() => 1 / topicNames.length)

/**
 * The probability of each topic, in the order of `topicNames`, from a record of the most likely ones. The other
 * topics share the rest equally. Without a record, all are equal.
 */
export function topicShares(
  likeliest: readonly (readonly [topic: Topic, probability: number])[],
): readonly number[] {
  if (likeliest.length === 0) return alike
  let left = 1
  for (const [, probability] of likeliest) left -= probability
  const others = topicNames.length - likeliest.length
  const ofEach = others === 0 ? 0 : Math.max(0, left) / others
  const shares = alike.map(() => ofEach)
  for (const [topic, probability] of likeliest) {
    shares[placeOfTopic.get(topic) ?? 0] = probability
  }
  return shares
}
