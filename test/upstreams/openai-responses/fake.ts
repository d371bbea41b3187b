/** The form of OpenAI's Responses API, for the suite of all wires. */
import type OpenAI from 'openai'
import {
  jsonReply,
  type AnswerMeaning,
  type FakeFormat,
  type RecordedRequest,
  type UsageMeaning,
} from '../harness.ts'
import { openAiFormat } from '../openai-chat/fake.ts'
import {
  fieldsOf,
  sourceOf,
  textOrNull,
  type Item,
  type Part,
  type RequestMeaning,
} from '../request-meaning.ts'
import { sdkSchema } from '../sdk-schema.ts'

type Request = OpenAI.Responses.ResponseCreateParams

const problemsOfBody = sdkSchema({
  file: 'openai/resources/responses/responses.d.ts',
  type: 'ResponseCreateParamsBase',
})

/** The stop reasons that are a reason of an incomplete answer. */
const incomplete: ReadonlySet<string> = new Set(['max_output_tokens', 'content_filter', 'steered'])

export const responsesFormat: FakeFormat = {
  route({ method, path, body }) {
    if (method === 'GET' && path === '/v1/models') return 'models'
    if (method !== 'POST' || path !== '/v1/responses') return null
    return fieldsOf(body)['stream'] === true ? 'stream' : 'whole'
  },
  problems(request) {
    const { headers, body } = request
    const key = headers.authorization?.startsWith('Bearer ') ? [] : ['the key is missing']
    return request.method === 'POST' ? [...key, ...problemsOfBody(body)] : key
  },
  // The schema has been checked.
  read: ({ body }) => meaningOf(body as Request),
  whole: (answer, request) => jsonReply(200, responseOf(answer, request)),
  stream(answer, request) {
    const begun = { ...responseOf(answer, request), status: 'in_progress', output: [], usage: null }
    const events = [
      { type: 'response.created', response: begun },
      { type: 'response.in_progress', response: begun },
      ...outputOf(answer).flatMap((item, place) => itemEvents(item, place, answer)),
      endOf(responseOf(answer, request)),
    ]
    return {
      headers: { 'content-type': 'text/event-stream; charset=utf-8' },
      events: events.map((event, sequence_number) => eventOf({ ...event, sequence_number })),
    }
  },
  models: openAiFormat.models,
  rateLimited: openAiFormat.rateLimited,
}

function responseOf(answer: AnswerMeaning, { body }: RecordedRequest) {
  const { stop } = answer
  const isIncomplete = stop !== null && incomplete.has(stop)
  return {
    id: 'resp_fake',
    object: 'response',
    created_at: 1_790_000_000,
    model: fieldsOf(body)['model'],
    status: stop === null ? 'completed' : isIncomplete ? 'incomplete' : stop,
    error: null,
    incomplete_details: isIncomplete ? { reason: stop } : null,
    output: outputOf(answer),
    usage: usageOf(answer.usage),
  }
}

interface OutputItem {
  type: 'reasoning' | 'message' | 'function_call'
  [field: string]: unknown
}

function outputOf({ texts, reasoning, toolCalls }: AnswerMeaning): OutputItem[] {
  const items: OutputItem[] = []
  if (reasoning.length > 0) {
    items.push({
      type: 'reasoning',
      id: 'rs_fake',
      summary: [{ type: 'summary_text', text: reasoning.join('') }],
      encrypted_content: 'encrypted-fake',
    })
  }
  if (texts.length > 0) {
    const part = { type: 'output_text', text: texts.join(''), annotations: [] }
    items.push({
      type: 'message',
      id: 'msg_fake',
      role: 'assistant',
      status: 'completed',
      content: [part],
    })
  }
  for (const { id, name, arguments: text } of toolCalls) {
    const call = { type: 'function_call', id: `fc_${id}`, call_id: id, name } as const
    items.push({ ...call, arguments: text, status: 'completed' })
  }
  return items
}

/** Events of an item as the vendor streams it: added, deltas, and the whole item again. */
function itemEvents(item: OutputItem, output_index: number, answer: AnswerMeaning): object[] {
  const begun = { ...item, ...unfinished[item.type] }
  return [
    { type: 'response.output_item.added', output_index, item: begun },
    ...partEvents(item, answer).map((event) => ({ ...event, output_index, item_id: item['id'] })),
    { type: 'response.output_item.done', output_index, item },
  ]
}

const unfinished = {
  reasoning: { summary: [] },
  message: { content: [], status: 'in_progress' },
  function_call: { arguments: '', status: 'in_progress' },
} as const

function partEvents(item: OutputItem, { reasoning, texts }: AnswerMeaning): object[] {
  if (item.type === 'reasoning') {
    const place = { summary_index: 0 }
    const part = { type: 'summary_text', text: '' }
    const type = 'response.reasoning_summary_text.delta'
    return [
      { type: 'response.reasoning_summary_part.added', ...place, part },
      ...reasoning.map((delta) => ({ type, ...place, delta })),
    ]
  }
  if (item.type === 'message') {
    const place = { content_index: 0 }
    const part = { type: 'output_text', text: '', annotations: [] }
    const type = 'response.output_text.delta'
    return [
      { type: 'response.content_part.added', ...place, part },
      ...texts.map((delta) => ({ type, ...place, delta, logprobs: [] })),
      { type: 'response.output_text.done', ...place, text: texts.join('') },
    ]
  }
  const text = String(item['arguments'])
  const half = Math.ceil(text.length / 2)
  const type = 'response.function_call_arguments.delta'
  return [
    { type, delta: text.slice(0, half) },
    { type, delta: text.slice(half) },
    { type: 'response.function_call_arguments.done', arguments: text },
  ]
}

function endOf(response: ReturnType<typeof responseOf>): object {
  const isIncomplete = response.status === 'incomplete'
  return { type: isIncomplete ? 'response.incomplete' : 'response.completed', response }
}

function usageOf(usage: UsageMeaning) {
  return {
    input_tokens: usage.promptTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    output_tokens: usage.completionTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.promptTokens + usage.completionTokens,
  }
}

function eventOf(event: { type?: string; sequence_number: number }): Buffer {
  return Buffer.from(`event: ${event.type ?? ''}\ndata: ${JSON.stringify(event)}\n\n`)
}

function meaningOf(body: Request): RequestMeaning {
  // Callers may write a text in place of its message.
  const text = { role: 'user' as const, content: body.input }
  const input = Array.isArray(body.input) ? body.input : [text]
  const { format } = body.text ?? {}
  return {
    model: String(body.model),
    items: input.flatMap((item) => itemsOf(fieldsOf(item))),
    tools: (body.tools ?? []).flatMap((tool) =>
      tool.type === 'function'
        ? [
            {
              name: tool.name,
              description: tool.description ?? null,
              parameters: tool.parameters ?? null,
            },
          ]
        : [],
    ),
    toolChoice: toolChoiceOf(body.tool_choice),
    parallelToolCalls: body.parallel_tool_calls ?? null,
    format:
      format?.type === 'json_schema'
        ? { schema: format.schema }
        : format?.type === 'json_object'
          ? 'json_object'
          : null,
    maxTokens: body.max_output_tokens ?? null,
    temperature: body.temperature ?? null,
    topP: body.top_p ?? null,
    stops: [],
    effort: body.reasoning?.effort ?? null,
    thinkingTokens: null,
    cacheMarks: 0,
  }
}

function toolChoiceOf(choice: unknown): RequestMeaning['toolChoice'] {
  if (choice === 'none' || choice === 'auto' || choice === 'required') return choice
  const name = textOrNull(fieldsOf(choice)['name'])
  return name === null ? null : { name }
}

function itemsOf(item: ReturnType<typeof fieldsOf>): Item[] {
  switch (item['type']) {
    case 'reasoning':
      return [
        {
          from: 'assistant',
          kind: 'reasoning',
          text: null,
          proof: textOrNull(item['encrypted_content']),
        },
      ]
    case 'function_call': {
      const input: unknown = JSON.parse(String(item['arguments']))
      const id = String(item['call_id'])
      return [{ from: 'assistant', kind: 'call', id, name: String(item['name']), input }]
    }
    case 'function_call_output': {
      const callId = String(item['call_id'])
      return [
        { from: 'tool', kind: 'result', callId, isFailed: false, parts: partsOf(item['output']) },
      ]
    }
    default: {
      const role = item['role']
      const from = role === 'user' || role === 'assistant' ? role : 'system'
      return partsOf(item['content']).map((part) => ({ from, ...part }))
    }
  }
}

function partsOf(content: unknown): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  if (!Array.isArray(content)) return []
  return content.map(fieldsOf).map((part): Part => {
    if (part['type'] === 'input_text') return { kind: 'text', text: String(part['text']) }
    const kind = part['type'] === 'input_image' ? 'image' : 'document'
    return { kind, ...sourceOf(String(part['image_url'] ?? part['file_data'] ?? part['file_url'])) }
  })
}
