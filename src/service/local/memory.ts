/** How much memory a model needs, and how much there is. */
import { totalmem } from 'node:os'

interface ModelSize {
  sizeBytes: number
  contextTokens: number
  /** Null if the model's file does not say. */
  cacheBytesPerToken: number | null
  vocabulary: number | null
}

/** The process with Node.js and llama.cpp, without a model. */
const processBytes = 80_000_000
/** llama.cpp reserves a 32-bit value per word of the vocabulary for each token of a batch of 512. */
const batchBytesPerWord = 512 * 4
const usualVocabulary = 150_000
/** Keys and values of a token, as a share of the weights: a generous guess for files that name no sizes. */
const usualCacheShare = 1 / 20_000

/**
 * An estimate on the high side: weights, keys and values of the whole context, working memory. The built-in model
 * takes 300 MB, and the estimate is 373 MB.
 */
export function memoryNeeded(model: ModelSize): number {
  const { sizeBytes, contextTokens, vocabulary } = model
  const cacheBytesPerToken = model.cacheBytesPerToken ?? sizeBytes * usualCacheShare
  const batchBytes = (vocabulary ?? usualVocabulary) * batchBytesPerWord
  return Math.round(sizeBytes + contextTokens * cacheBytesPerToken + batchBytes + processBytes)
}

/**
 * Memory that a new process can get, including what the system uses for caches and respecting the limits of a
 * container. macOS reports hardly any memory as free, so there it is three quarters of all memory.
 */
export function availableMemory(): number {
  if (process.platform === 'darwin') return totalmem() * 0.75
  return process.availableMemory()
}

/** Whether the model exceeds the memory of this computer, even if nothing else runs. */
export function isTooLarge(memoryBytes: number): boolean {
  return memoryBytes > totalmem()
}
