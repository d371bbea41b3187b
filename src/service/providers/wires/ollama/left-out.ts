/** The fields of a request that Ollama does not take, for the decision and its header. */
import type { ChatRequest } from '../../../../shared/chat.ts'
import type { Adjustment } from '../../../../shared/model-abilities.ts'
import { isObject, optionNames, type Thinking } from './request.ts'

/** Carried, done by Modelport itself, or without an effect on the answer. */
const silent: ReadonlySet<string> = new Set([
  ...Object.keys(optionNames),
  ...'messages model stream stream_options stop response_format tools tool_choice'.split(' '),
  ...'parallel_tool_calls reasoning_effort reasoning logprobs top_logprobs n'.split(' '),
  ...'options keep_alive user metadata prompt_cache_key safety_identifier'.split(' '),
])

export function leftOut(body: ChatRequest, thinking: Thinking): Adjustment[] {
  const adjusted: Adjustment[] = []
  const add = (parameter: string, change: string, reason: string) =>
    void adjusted.push({ parameter, change, reason })
  for (const name in body) {
    if (silent.has(name) || (body[name] ?? null) === null) continue
    add(name, 'left_out', 'Ollama has no such field')
  }
  const { tool_choice, tools, reasoning_effort: effort } = body
  if (tool_choice === 'required') {
    add('tool_choice', 'sent_as_auto', 'Ollama cannot make a model call a tool')
  } else if (isObject(tool_choice)) {
    add('tool_choice', 'sent_as_only_tool', 'Ollama cannot make a model call a tool')
  }
  if (tools?.some(({ type }) => type !== 'function')) {
    add('tools', 'sent_as_functions_only', 'Ollama only takes functions')
  }
  if (typeof effort === 'string' && effort !== 'none') {
    if (thinking === 'none') add('reasoning_effort', 'left_out', 'the model does not think')
    if (thinking === 'switch') add('reasoning_effort', 'sent_as_on', 'the model has no levels')
  }
  const { reasoning } = body
  if (isObject(reasoning) && (reasoning['max_tokens'] ?? null) !== null) {
    add('reasoning.max_tokens', 'left_out', 'Ollama has no budget for thinking')
  }
  return adjusted
}
