/** The object in every event of an answer and in the whole answer: the request's fields and the output. */
import { fieldsOf } from '../../../json-fields.ts'
import type { OutputItem, WholeResponse } from '../form.ts'
import type { WireFields } from '../../../../shared/chat/chat.ts'
import type { ResponsesRequest } from './request-schema.ts'

export interface ResponseIdentity {
  requestId: string
  /** Unix seconds. */
  created: number
  /** Unix milliseconds. */
  now(): number
}

export type ResponseStatus = 'in_progress' | 'completed' | 'incomplete' | 'failed'

/** Fields that the vendor repeats from the request, and their values when the request has none. */
const repeated: WireFields = {
  frequency_penalty: 0,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  safety_identifier: null,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  user: null,
}

export class ResponseObject {
  readonly #identity: ResponseIdentity
  readonly #repeated: WireFields
  #model: string

  constructor(request: ResponsesRequest, identity: ResponseIdentity) {
    this.#identity = identity
    this.#repeated = repeatedFields(request)
    this.#model = request.model ?? 'auto'
  }

  get id(): string {
    return `resp_${this.#identity.requestId}`
  }

  /** @param model  that answers: `<provider>:<model_name>` */
  set model(model: string) {
    this.#model = model
  }

  withStatus(status: ResponseStatus, output: OutputItem[], more: WireFields = {}): WholeResponse {
    const response: WireFields = {
      id: this.id,
      object: 'response',
      created_at: this.#identity.created,
      status,
      background: false,
      completed_at: null,
      error: null,
      incomplete_details: null,
      model: this.#model,
      output,
      ...this.#repeated,
      service_tier: 'default',
      store: false,
      usage: null,
      ...(status === 'completed' && { completed_at: Math.floor(this.#identity.now() / 1000) }),
      ...more,
    }
    // The repeated fields were checked as far as Modelport reads them.
    return response as unknown as WholeResponse
  }
}

function repeatedFields(request: ResponsesRequest): WireFields {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(repeated)) fields[name] = request[name] ?? value
  const tools = (request.tools ?? []).map(repeatedTool)
  const { effort = null, summary = null } = fieldsOf(request.reasoning)
  const { format = { type: 'text' }, ...text } = fieldsOf(request.text)
  return { ...fields, tools, reasoning: { effort, summary }, text: { format, ...text } }
}

/** The published type of a function always has these fields, also where the request had none. */
function repeatedTool(tool: WireFields): WireFields {
  return tool['type'] === 'function' ? { parameters: null, strict: null, ...tool } : tool
}
