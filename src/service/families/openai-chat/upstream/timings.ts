/**
 * The times of llama.cpp's server, which it adds to its last event and to whole answers. `prompt_n` does not include
 * tokens read from its cache.
 * @see https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md, compared 2026-11-22
 */
import { z } from 'zod'
import type { ServerTimings } from '../../../providers/provider.ts'

const count = z.int().min(0)
const milliseconds = z.number().min(0)
const timingsSchema = z.object({
  prompt_n: count,
  prompt_ms: milliseconds,
  predicted_n: count,
  predicted_ms: milliseconds,
})

/** @returns null for a field of another server with this name */
export function readTimings(value: unknown): ServerTimings | null {
  const parsed = timingsSchema.safeParse(value)
  if (!parsed.success) return null
  const { prompt_n, prompt_ms, predicted_n, predicted_ms } = parsed.data
  return {
    loadMs: null,
    promptTokens: prompt_n,
    promptMs: prompt_ms,
    outputTokens: predicted_n,
    outputMs: predicted_ms,
  }
}
