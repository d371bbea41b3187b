/**
 * What vendors bill beside the text of a request: text, images and files behind a name, answers that are not returned,
 * searches, and inference in the United States. The prices are those of `src/service/catalog/surcharges.ts`, written
 * again from the vendors' pages.
 */
import type { RecordedRequest } from '../../upstreams/harness.ts'
import { fieldsOf } from '../../upstreams/request-meaning.ts'
import type { CallPlan } from './call-plan.ts'
import type { CallTokens } from './call-tokens.ts'

/** $10 for 1,000 (platform.claude.com/docs/en/about-claude/pricing, openai.com/api/pricing). */
export const searchNanoUsd = 10_000_000
/** platform.claude.com/docs/en/build-with-claude/data-residency */
export const usFactor = 1.1
/** Of an answer whose request sets no limit. */
const unlimitedSearches = 5
const foundTokens = 800

/** Tokens of everything that the request names, by the names of `later-fields.ts`. */
export function namedTokens({ text }: RecordedRequest): number {
  return [...text.matchAll(/billed-(\d+)-tokens/g)].reduce((sum, [, n]) => sum + Number(n), 0)
}

export type Searched = Pick<CallTokens, 'searches' | 'found'>

/** After each search the model reads its prompt again, and what was found. */
export function searchesOf(
  { body }: RecordedRequest,
  prompt: number,
  { searchShare }: CallPlan,
): Searched {
  const { tools, max_tool_calls: shared } = fieldsOf(body)
  const search = (Array.isArray(tools) ? tools.map(fieldsOf) : []).find(
    ({ type, googleSearch }) => String(type).startsWith('web_search') || googleSearch !== undefined,
  )
  if (search === undefined) return { searches: 0, found: 0 }
  const most = Number(search['max_uses'] ?? shared ?? unlimitedSearches)
  const searches = Math.round(searchShare * most)
  return { searches, found: searches * (prompt + foundTokens) }
}

export function isInUs({ path, body }: RecordedRequest): boolean {
  return path === '/v1/messages' && fieldsOf(body)['inference_geo'] === 'us'
}

/**
 * Adds to a vendor's words what the forms of the suite do not have.
 * @param isEnd  whether it has the counts of the whole answer
 */
export function withLater(
  text: string,
  { path }: RecordedRequest,
  { tokens, isEnd }: { tokens: CallTokens; isEnd: boolean },
): string {
  const { searches, found, prompt, cached, written } = tokens
  const said = tokens.isInUs ? text.replace('"inference_geo":null', '"inference_geo":"us"') : text
  if (!isEnd || searches === 0) return said
  if (path === '/v1/messages') {
    const counts = `"input_tokens":${prompt - cached - written + found}`
    const used = `"server_tool_use":{"web_search_requests":${searches}}`
    return said
      .replace('"server_tool_use":null,', '')
      .replace(/"input_tokens":(\d+|null)/, `${counts},${used}`)
  }
  const call = '{"type":"web_search_call","id":"ws","status":"completed"}'
  const calls = Array.from({ length: searches }, () => call).join(',')
  return said
    .replace(/"output":\[(\]?)/, (_, end) => `"output":[${calls}${end === '' ? ',' : end}`)
    .replace(/"input_tokens":\d+/, `"input_tokens":${prompt + found}`)
    .replace(/"total_tokens":(\d+)/, (_, total) => `"total_tokens":${Number(total) + found}`)
}
