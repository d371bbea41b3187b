/**
 * A request in the form of the Responses API as the inner form. docs/wires.md has the table. The request itself
 * travels beside it for providers of this form, so the inner form needs only what other vendors understand.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { ChatRequest, WireFields } from '../../../../shared/chat/chat.ts'
import type { OriginalCall } from '../../../chat/chat-call.ts'
import { ServiceError } from '../../../errors.ts'
import { withMembers } from '../../../providers/json-members.ts'
import { fieldsOf, stringOf } from '../../../json-fields.ts'
import { renamedTools } from '../../fitting-names.ts'
import { LeftOut } from '../../left-out.ts'
import { originalWire } from '../form.ts'
import { refuseRepeatedField } from '../../own-body.ts'
import { readInput } from './read-input.ts'
import { forcedServerTool, readTools } from './read-tools.ts'
import type { ResponsesRequest } from './request-schema.ts'
import type { ToolNames } from '../../tool-names.ts'

export interface ReadResponses {
  body: ChatRequest
  original: OriginalCall
  /** The caller's tools by their names in the inner form. */
  names: ToolNames
  request: ResponsesRequest
}

/**
 * @throws ServiceError missing_required_parameter for an item without its required field, invalid_parameter for a
 *   repeated field, no_capable_model for an answer in the background
 */
export function readResponses(
  request: ResponsesRequest,
  { text, headers }: { text: string; headers: IncomingHttpHeaders },
): ReadResponses {
  refuseRepeatedField(text)
  refuseUnanswerable(request)
  const leftOut = new LeftOut()
  const { names, ...tools } = readTools(request, leftOut)
  const messages = readInput(request, { names, leftOut })
  noteUnknown(request, leftOut)
  const { model, stream, temperature, top_p, max_output_tokens: limit } = request
  const body: ChatRequest = {
    messages,
    ...tools,
    ...(typeof model === 'string' ? { model } : {}),
    ...(typeof limit === 'number' ? { max_completion_tokens: limit } : {}),
    ...(stream === true ? { stream } : {}),
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(typeof top_p === 'number' ? { top_p } : {}),
    ...reasoningOf(request),
    ...formatOf(request),
    ...logprobsOf(request),
    // Left out by the service, which reports it.
    ...((request['service_tier'] ?? null) === null
      ? {}
      : { service_tier: request['service_tier'] }),
  }
  const original = originalOf(request, { text, headers, leftOut })
  const renamed = renamedTools(tools.tools, names)
  return { body, names, request, original: { ...original, renamedTools: renamed } }
}

function originalOf(
  request: ResponsesRequest,
  { text, headers, leftOut }: { text: string; headers: IncomingHttpHeaders; leftOut: LeftOut },
): OriginalCall {
  const stateField = stateFieldOf(request)
  const { 'openai-beta': beta } = headers
  return {
    wire: originalWire,
    fields: request,
    text: stateField === null ? withoutState(request, text) : text,
    headers: typeof beta === 'string' ? { 'openai-beta': beta } : {},
    leftOut: leftOut.adjustments,
    notForwarded: [],
    required: requiredOf(request),
    stateField,
    conversation: stringOf(request.prompt_cache_key),
  }
}

/** @throws ServiceError no_capable_model, missing_required_parameter */
function refuseUnanswerable({ background, input, prompt }: ResponsesRequest): void {
  if (background === true) {
    throw new ServiceError(
      'no_capable_model',
      'No model of this router can answer in the background, because Modelport keeps no answers. ' +
        'Set "background" to false; with "stream": true a long answer arrives as it is written.',
      { param: 'background' },
    )
  }
  if (input !== undefined || (prompt ?? null) !== null) return
  throw new ServiceError('missing_required_parameter', '"input" is required.', { param: 'input' })
}

/** The field that needs what a provider stored of earlier requests; null when the request says everything. */
function stateFieldOf(request: ResponsesRequest): string | null {
  if (request.store === true) return 'store'
  if (stringOf(request.previous_response_id) !== null) return 'previous_response_id'
  if ((request.conversation ?? null) !== null) return 'conversation'
  const { input } = request
  const place = Array.isArray(input) ? input.findIndex(isReference) : -1
  return place === -1 ? null : `input[${place}]`
}

/** Whether an item is a reference; its type may be absent. */
function isReference(item: WireFields): boolean {
  const { type, role, id } = item
  return (
    type === 'item_reference' ||
    ((type ?? null) === null && (role ?? null) === null && id !== undefined)
  )
}

/** Why only models of the vendor can answer; null when others can too. */
function requiredOf(request: ResponsesRequest): OriginalCall['required'] {
  const forced = forcedServerTool(request)
  if (forced !== null) {
    return { param: 'tool_choice', reason: '"tool_choice" forces a tool that only its vendor runs' }
  }
  if ((request.prompt ?? null) !== null) {
    return { param: 'prompt', reason: 'only the vendor has the stored "prompt"' }
  }
  const { input } = request
  const place = Array.isArray(input)
    ? input.findIndex(({ type }) => type !== undefined && vendorsOwn.has(type))
    : -1
  if (place === -1) return null
  return { param: `input[${place}]`, reason: `only the vendor can read "input[${place}]"` }
}

/** Items that hold what no other vendor can read and the conversation cannot do without. */
const vendorsOwn: ReadonlySet<string | null> = new Set([
  'compaction',
  'compaction_trigger',
  'computer_call',
  'computer_call_output',
  'mcp_approval_response',
])

/**
 * Adapts a request to `store: false`. The vendor then refuses reasoning without encrypted content, because it would
 * look for a stored item; reasoning that this endpoint showed for another vendor's model has none.
 */
function withoutState({ store, input }: ResponsesRequest, text: string): string {
  const changes: Record<string, string> = {}
  // The vendor's own default stores the answer.
  if (store !== false) changes['store'] = 'false'
  if (Array.isArray(input) && input.some(isForeignReasoning)) {
    changes['input'] = JSON.stringify(input.filter((item) => !isForeignReasoning(item)))
  }
  return Object.keys(changes).length === 0 ? text : withMembers(text, changes)
}

function isForeignReasoning({ type, encrypted_content: encrypted }: WireFields): boolean {
  return type === 'reasoning' && stringOf(encrypted) === null
}

/** OpenAI's chat form has no effort above `xhigh`. A summary is shown where there is one. */
function reasoningOf({ reasoning }: ResponsesRequest): Pick<ChatRequest, 'reasoning_effort'> {
  const effort = stringOf(reasoning?.effort)
  return effort === null ? {} : { reasoning_effort: effort === 'max' ? 'xhigh' : effort }
}

function formatOf({ text }: ResponsesRequest): Pick<ChatRequest, 'response_format'> {
  const { type, name, schema, description, strict } = fieldsOf(text?.format)
  if (type === 'json_object') return { response_format: { type } }
  if (type !== 'json_schema') return {}
  const json_schema = {
    name: stringOf(name) ?? 'answer',
    schema,
    ...(stringOf(description) === null ? {} : { description }),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  }
  return { response_format: { type, json_schema } }
}

function logprobsOf({
  include,
  top_logprobs,
}: ResponsesRequest): Pick<ChatRequest, 'logprobs' | 'top_logprobs'> {
  const isWanted = include?.includes('message.output_text.logprobs') === true
  if (!isWanted && !top_logprobs) return {}
  return { logprobs: true, ...(top_logprobs ? { top_logprobs } : {}) }
}

/** Read above or by the service itself, or without a meaning for another vendor. */
const known: ReadonlySet<string> = new Set(
  (
    'model input instructions stream stream_options store background previous_response_id conversation prompt ' +
    'tools tool_choice parallel_tool_calls reasoning text max_output_tokens temperature top_p top_logprobs include ' +
    'prompt_cache_key prompt_cache_options prompt_cache_retention service_tier'
  ).split(' '),
)

function noteUnknown(request: ResponsesRequest, leftOut: LeftOut): void {
  const reason = 'only the vendor’s own models take it'
  for (const [name, value] of Object.entries(request)) {
    const isDefault = name === 'truncation' && value === 'disabled'
    if (known.has(name) || isDefault || value === null || value === undefined) continue
    // The names are sent in a header.
    leftOut.leave(/^[\w.-]{1,64}$/.test(name) ? name : 'other_fields', reason)
  }
  if (stringOf(request.text?.['verbosity']) !== null) leftOut.leave('text.verbosity', reason)
}
