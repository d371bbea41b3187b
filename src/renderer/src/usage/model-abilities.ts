/** What models can do, in words for people. */
import type { Model } from '../../../shared/entities.ts'
import { t } from '../../../shared/strings/strings.ts'

export const abilityNames = {
  tools: t('Tools'),
  vision: t('Vision'),
  audio: t('Audio'),
  reasoning: t('Reasoning'),
  json: t('Structured output'),
  files: t('Files'),
  embeddings: t('Embeddings'),
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
