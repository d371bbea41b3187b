/** The fields of a request that Ollama does not take, for the decision and its header. */
import type { ChatRequest } from '../../../../shared/chat/chat.ts'
import type { Adjustment } from '../../../../shared/models/model-abilities.ts'
import { fieldsOf } from '../../../json-fields.ts'
import { toolName } from '../../custom-tools.ts'
import { hasCacheMark, hasFailedResult, LeftOut } from '../../left-out.ts'
import { isObject, optionNames, type Thinking } from './request.ts'

/** Carried, done by Modelport itself, or without an effect on the answer. */
const silent: ReadonlySet<string> = new Set([
  ...Object.keys(optionNames),
  ...'messages model stream stream_options stop response_format tools tool_choice'.split(' '),
  ...'parallel_tool_calls reasoning_effort reasoning logprobs top_logprobs n'.split(' '),
  ...'options keep_alive user metadata prompt_cache_key safety_identifier'.split(' '),
])

const noField = 'Ollama has no such field'

export function leftOut(body: ChatRequest, thinking: Thinking): Adjustment[] {
  const left = new LeftOut()
  left.leaveUnknown(body, silent, noField)
  if (hasFailedResult(body)) left.leave('is_error', noField)
  if (hasCacheMark(body)) left.leave('cache_control', 'Ollama caches prefixes by itself')
  addTools(body, left)
  addReasoning(body, { thinking, left })
  return left.adjustments
}

function addTools({ tool_choice, tools }: ChatRequest, left: LeftOut): void {
  const reason = 'Ollama cannot make a model call a tool'
  const { mode } = fieldsOf(fieldsOf(tool_choice)['allowed_tools'])
  if (isObject(tool_choice) && toolName(tool_choice) !== null) {
    left.send('tool_choice', 'sent_as_only_tool', reason)
  } else if (tool_choice === 'required' || mode === 'required') {
    left.send('tool_choice', 'sent_as_auto', reason)
  }
  if (tools?.some(({ type }) => type !== 'function')) {
    left.send('tools', 'sent_as_functions_only', 'Ollama only takes functions')
  }
}

function addReasoning(
  { reasoning_effort: effort, reasoning }: ChatRequest,
  { thinking, left }: { thinking: Thinking; left: LeftOut },
): void {
  if (typeof effort === 'string' && effort !== 'none') {
    if (thinking === 'none') left.leave('reasoning_effort', 'the model does not think')
    if (thinking === 'switch')
      left.send('reasoning_effort', 'sent_as_on', 'the model has no levels')
  }
  if (isObject(reasoning) && (reasoning['max_tokens'] ?? null) !== null) {
    left.leave('reasoning.max_tokens', 'Ollama has no budget for thinking')
  }
}
