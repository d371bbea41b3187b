/** A whole answer of the inner form in the form of the Responses API. */
import type { FinishReason, WireFields } from '../../../../shared/chat/chat.ts'
import { fieldsOf, listOf } from '../../../json-fields.ts'
import { incompleteReasonOf, writeResponseUsage } from '../answer.ts'
import { OutputItems } from './output-items.ts'
import { ResponseObject, type ResponseIdentity, type ResponseStatus } from './response-object.ts'
import type { ResponsesRequest } from './request-schema.ts'
import type { ToolNames } from '../../tool-names.ts'
import { parseExact } from '../../../exact-json.ts'
import type { WholeAnswer } from '../../written-answer.ts'

interface WriteOptions extends ResponseIdentity {
  request: ResponsesRequest
  names: ToolNames
  meta: object
}

export function writeResponse(answer: WholeAnswer, options: WriteOptions): object {
  const { model, choices, usage, events = [] } = answer
  const { request, meta } = options
  const own = fieldsOf(events.length === 1 ? parseExact(events[0] ?? '') : null)
  if (own['object'] === 'response') return { ...own, model, _meta: meta }
  const response = new ResponseObject(request, options)
  response.model = model
  const items = new OutputItems(options)
  const [choice] = choices
  const ending = endingOf(choice?.finish_reason ?? 'stop')
  if (choice !== undefined) {
    const { message, logprobs } = choice
    const { tool_calls: calls = [], ...delta } = message
    const tool_calls = calls.map((call, index) => ({ ...call, index }))
    items.add({ ...delta, tool_calls }, listOf(fieldsOf(logprobs)['content']))
  }
  items.end(ending.itemStatus)
  const { status, fields } = ending
  const ended = { ...fields, usage: writeResponseUsage(usage), _meta: meta }
  return response.withStatus(status, items.items(), ended)
}

/** How an answer ended. */
export function endingOf(finishReason: FinishReason): {
  status: ResponseStatus
  itemStatus: 'completed' | 'incomplete'
  fields: WireFields
} {
  const reason = incompleteReasonOf(finishReason)
  if (reason === null) return { status: 'completed', itemStatus: 'completed', fields: {} }
  const fields = { incomplete_details: { reason } }
  return { status: 'incomplete', itemStatus: 'incomplete', fields }
}
