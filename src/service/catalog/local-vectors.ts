/**
 * The vectors of models that people run most on servers of their own, by their names there. From the models' cards
 * at huggingface.co, 2026-11-22. A server that reports no length leaves it to this list; without an entry,
 * `dimensions` must be what the model gives.
 */
import type { EmbeddingFacts } from '../../shared/models/model-facts.ts'

type Vectors = readonly [name: RegExp, dimensions: number, isShortenable: boolean]

const known: readonly Vectors[] = [
  [/nomic-embed-text(-v1\.5)?/, 768, true],
  [/mxbai-embed-large/, 1024, true],
  [/embeddinggemma/, 768, true],
  [/qwen3-embedding[:-]0\.6b/, 1024, true],
  [/qwen3-embedding[:-]4b/, 2560, true],
  [/qwen3-embedding([:-]8b|$|:latest)/, 4096, true],
  [/bge-m3/, 1024, false],
  [/bge-large/, 1024, false],
  [/bge-base/, 768, false],
  [/all-minilm/, 384, false],
]

/**
 * @param id  of the model. Only Ollama's names say which file is meant, so only there two servers with the same name
 *   have the same model
 * @param type  of the provider
 */
export function localVectorsOf(id: string, type: string): EmbeddingFacts | null {
  const name = id.slice(id.indexOf(':') + 1).toLowerCase()
  const found = known.find(([pattern]) => pattern.test(name))
  if (found === undefined) return null
  const [, dimensions, isShortenable] = found
  const weights = type === 'ollama' ? `ollama/${withTag(name)}` : id
  return { weights, dimensions, isShortenable }
}

function withTag(name: string): string {
  return name.includes(':') ? name : `${name}:latest`
}
