/** Tokens and cost by model and short span, without the histograms that make roll-ups large. */
import type { Ledger, ModelSpan } from '../storage.ts'
import { openCompleteFrom } from './complete-from.ts'
import { totalOf } from './fragments.ts'
import { resolutions } from './rollups.ts'
import type { Sql } from './sql.ts'
import { coverRange, longestWithin, type Span } from './usage-spans.ts'

export function openModelSpans(sql: Sql): Ledger['modelSpans'] {
  const kept = openCompleteFrom(sql)
  const cells = sql.prepare<Span & { bucketMs: number }, ModelSpan>(`
    SELECT start_ms - start_ms % CAST(:bucketMs AS BIGINT) AS "startMs", model,
           ${totalOf('requests')} AS requests, ${totalOf('estimated')} AS estimated,
           ${totalOf('fallbacks')} AS fallbacks, ${totalOf('input_tokens')} AS input,
           ${totalOf('cache_read_tokens')} AS "cacheRead",
           ${totalOf('cache_write_tokens')} AS "cacheWrite", ${totalOf('output_tokens')} AS output,
           ${totalOf('reasoning_tokens')} AS reasoning, ${totalOf('cost_nano_usd')} AS "costNanoUsd"
    FROM usage_rollups
    WHERE length_ms = :lengthMs AND start_ms >= :fromMs AND start_ms < :toMs AND model <> ''
    GROUP BY 1, 2 ORDER BY 1, 2`)
  return async ({ fromMs, toMs, bucketMs }) => {
    const longestMs = Math.max(longestWithin(bucketMs), resolutions.minuteMs)
    const spans: ModelSpan[] = []
    for (const span of coverRange({ fromMs, toMs }, longestMs, await kept())) {
      spans.push(...(await cells.all({ ...span, bucketMs })))
    }
    return spans
  }
}
