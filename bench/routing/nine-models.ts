/** The router of nine models that everyday prompts are decided by, as the catalogue has them on the first day. */
import { loadCatalog, type CatalogModel } from '../../src/service/catalog/catalog.ts'
import type { Candidate } from '../../src/service/routing/candidate.ts'
import { candidate } from '../../test/routing/sample-candidates.ts'
import { topicNames } from '../../src/shared/routers/topics.ts'

const ids: readonly (readonly [type: string, name: string])[] = [
  ['openrouter', 'anthropic/claude-opus-5.5'],
  ['openrouter', 'anthropic/claude-sonnet-5'],
  ['openai', 'gpt-5.4-mini'],
  ['openai', 'gpt-5.4-nano'],
  ['openrouter', 'google/gemini-3.1-flash-lite'],
  ['openrouter', 'deepseek/deepseek-v4-flash'],
  ['openrouter', 'openai/gpt-oss-20b'],
  ['groq', 'llama-3.1-8b-instant'],
  ['local', 'smollm2-135m-instruct'],
]

/** @throws Error when the catalogue no longer has one of them, or no longer rates it */
export function nineModels(): Candidate[] {
  const catalog = loadCatalog()
  return ids.map(([type, name], position) => {
    const id = `${type}:${name}`
    const found = catalog.modelsOf(type).find((model) => model.id === id)
    if (!found?.rating) throw new Error(`the catalogue does not rate ${id}`)
    return candidateOf(found, found.rating, position)
  })
}

function candidateOf(
  model: CatalogModel,
  rating: NonNullable<CatalogModel['rating']>,
  position: number,
): Candidate {
  return candidate({
    modelId: model.id,
    position,
    price: {
      inputUsdPerMtok: model.inputUsdPerMtok,
      outputUsdPerMtok: model.outputUsdPerMtok,
    },
    contextTokens: null,
    maxOutputTokens: null,
    quality: {
      points: rating.points,
      strength: rating.strength,
      offsets: topicNames.map((topic) => rating.offsets[topic] ?? 0),
      basis: 'rated',
    },
    speed: model.speed,
    outputRatio: rating.outputRatio,
  })
}
