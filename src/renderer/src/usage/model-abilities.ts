/** What models can do, in words for people. */
import type { Model } from '../../../shared/entities.ts'

export const abilityNames = {
  tools: 'Tools',
  vision: 'Vision',
  audio: 'Audio',
  reasoning: 'Reasoning',
  json: 'Structured output',
  files: 'Files',
  embeddings: 'Embeddings',
} as const
export type Ability = keyof typeof abilityNames
export const abilities = Object.keys(abilityNames) as readonly Ability[]

/** A model reasons if a source rates it at a reasoning effort. */
export function abilitiesOf({ capabilities, rating, efforts }: Model): Ability[] {
  const isReasoning =
    efforts.some(({ effort }) => effort !== 'none') ||
    (rating !== null && rating.effort !== null && rating.effort !== 'none')
  return abilities.filter((ability) =>
    ability === 'reasoning'
      ? isReasoning
      : ability === 'json'
        ? capabilities.includes('json') || capabilities.includes('json_object')
        : capabilities.includes(ability),
  )
}
