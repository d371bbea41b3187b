import { expect, test } from 'vitest'
import { withSurcharges } from './surcharges.ts'

const counts = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }

test.each<[string, Record<string, unknown>, number]>([
  ['nothing else', {}, 1_005],
  ['no web search', { server_tool_use: { web_search_requests: 0 } }, 1_005],
  ['three web searches', { server_tool_use: { web_search_requests: 3 } }, 30_001_005],
  ['a count that is no number', { server_tool_use: { web_search_requests: 'x' } }, 1_005],
  ['a negative count', { server_tool_use: { web_search_requests: -1 } }, 1_005],
  ['no tools of the vendor', { server_tool_use: null }, 1_005],
  ['inference in the United States', { inference_geo: 'us' }, 1_106],
  ['inference anywhere', { inference_geo: 'global' }, 1_005],
  [
    'searches and inference in the United States',
    { inference_geo: 'us', server_tool_use: { web_search_requests: 1 } },
    10_001_106,
  ],
])('usage with %s', (_what, reported, nanoUsd) => {
  expect(withSurcharges(1_005, { ...counts, ...reported })).toBe(nanoUsd)
})
