/** Where a session's next step must not go to another model: docs/sessions.md has the table. */
import type { ChatMessage } from '../../../shared/chat/chat.ts'
import type { ForbiddenReason } from '../../../shared/requests/session-change.ts'
import { fieldsOf } from '../../json-fields.ts'
import { sendsOriginal, type ProviderForm } from '../attempts/original-call.ts'
import type { ChatCall } from '../chat-call.ts'

/** Parts of a conversation that only their vendor knows, as they stand in a request's text. */
const ofVendor =
  /"type"\s*:\s*"(server_tool_use|mcp_tool_use|container_upload)"|"(container|file_id)"\s*:\s*"/
const compactedByVendor = /"type"\s*:\s*"compaction"|"id"\s*:\s*"cmp_/

interface OtherModel {
  modelId: string
  form: ProviderForm
  /** Whether a tool's result was sent, so that the model's own turn goes on. */
  isInTurn: boolean
}

/** @returns null where the change may be made */
export function whyForbidden(call: ChatCall, to: OtherModel): ForbiddenReason | null {
  if (hasOpenCalls(call.body.messages)) return 'open_calls'
  const ofVendorOnly = call.original ? vendorsOwn(call.original) : null
  if (ofVendorOnly !== null) return ofVendorOnly
  if (isChecked(call) && !sendsOriginal(call, to, to.form)) return 'safeguards'
  // The last answer of a turn with a budget must begin with the model's own thinking.
  if (to.isInTurn && hasBudget(call)) return 'thinking'
  return takesLess(call, to.modelId) ? 'parameters' : null
}

type Original = NonNullable<ChatCall['original']>

/** What only the vendor of the last answer knows or runs. */
function vendorsOwn({ text, stateField, required }: Original): ForbiddenReason | null {
  if ((stateField ?? null) !== null || compactedByVendor.test(text)) return 'vendor_state'
  return (required ?? null) !== null || ofVendor.test(text) ? 'vendor_tools' : null
}

/** Whether the client asks the vendor to check actions. */
function isChecked({ original }: ChatCall): boolean {
  const { safeguards } = original?.fields ?? {}
  return Array.isArray(safeguards) && safeguards.length > 0
}

/** Whether a call of the last answer has no result yet. */
function hasOpenCalls(messages: readonly ChatMessage[]): boolean {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const calls = messages[last]?.tool_calls ?? []
  if (calls.length === 0) return false
  const results = new Set(messages.slice(last + 1).map((message) => message.tool_call_id))
  return calls.some(({ id }) => !results.has(id))
}

function hasBudget({ original, body }: ChatCall): boolean {
  const { budget_tokens: budget } = fieldsOf(original?.fields['thinking'])
  return typeof budget === 'number' || typeof fieldsOf(body.reasoning)['max_tokens'] === 'number'
}

/** Whether the newest Claude models would refuse what the request sets. */
function takesLess(call: ChatCall, modelId: string): boolean {
  const { body, original } = call
  const { temperature, top_p, tool_choice, messages } = body
  const isPrefilled = messages.at(-1)?.role === 'assistant'
  const isSampled = [temperature, top_p, original?.fields['top_k']].some((one) => one !== undefined)
  if (/claude-haiku-5-5/.test(modelId)) return hasBudget(call) || isSampled || isPrefilled
  if (!/claude-(opus|sonnet)-5-5/.test(modelId)) return false
  const isOff = fieldsOf(body.reasoning)['enabled'] === false
  return isOff || tool_choice === 'required' || typeof tool_choice === 'object'
}
