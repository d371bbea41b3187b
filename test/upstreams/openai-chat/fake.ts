/** OpenAI's chat-completions form, for the suite of all wires. */
import type { ChatRequest } from '../../../src/shared/chat/chat.ts'
import {
  jsonReply,
  type AnswerMeaning,
  type FakeFormat,
  type RecordedRequest,
  type UsageMeaning,
} from '../harness.ts'
import { fieldsOf, meaningOf } from '../request-meaning.ts'
import { sdkSchema } from '../sdk-schema.ts'

const problemsOfBody = sdkSchema({
  file: 'openai/resources/chat/completions/completions.d.ts',
  type: 'ChatCompletionCreateParams',
})

export const openAiFormat: FakeFormat = {
  route({ method, path, body }) {
    if (method === 'GET' && path === '/v1/models') return 'models'
    if (method !== 'POST' || path !== '/v1/chat/completions') return null
    return fieldsOf(body)['stream'] === true ? 'stream' : 'whole'
  },
  problems(request) {
    const { headers, body } = request
    const key = headers.authorization?.startsWith('Bearer ') ? [] : ['the key is missing']
    return request.method === 'POST' ? [...key, ...problemsOfBody(body)] : key
  },
  read({ body }) {
    // The schema has been checked: OpenAI's form is the inner form.
    const request = body as ChatRequest
    return meaningOf(request, String(request.model))
  },
  whole(answer, request) {
    const { texts, reasoning, toolCalls } = answer
    const message = {
      role: 'assistant',
      content: texts.length === 0 ? null : texts.join(''),
      refusal: null,
      ...(reasoning.length > 0 && { reasoning_content: reasoning.join('') }),
      ...(toolCalls.length > 0 && {
        tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
          id,
          type: 'function',
          function: { name, arguments: text },
        })),
      }),
    }
    const choice = { index: 0, message, logprobs: null, finish_reason: stopOf(answer) }
    const usage = usageOf(answer.usage)
    return jsonReply(200, { ...head(request, 'chat.completion'), choices: [choice], usage })
  },
  stream(answer, request) {
    const begin = head(request, 'chat.completion.chunk')
    const event = (delta: object, finish_reason: string | null = null) =>
      eventOf({
        ...begin,
        choices: [{ index: 0, delta, logprobs: null, finish_reason }],
        usage: null,
      })
    const events = [
      event({ role: 'assistant', content: '' }),
      ...answer.reasoning.map((text) => event({ reasoning_content: text })),
      ...answer.texts.map((content) => event({ content })),
      ...answer.toolCalls.flatMap((call, index) =>
        callDeltas(call, index).map((delta) => event({ tool_calls: [delta] })),
      ),
      event({}, stopOf(answer)),
      eventOf({ ...begin, choices: [], usage: usageOf(answer.usage) }),
      Buffer.from('data: [DONE]\n\n'),
    ]
    return { headers: { 'content-type': 'text/event-stream; charset=utf-8' }, events }
  },
  models: (names) =>
    jsonReply(200, { object: 'list', data: names.map((id) => ({ id, object: 'model' })) }),
  rateLimited: jsonReply(429, {
    error: {
      message: 'Rate limit reached',
      type: 'requests',
      param: null,
      code: 'rate_limit_exceeded',
    },
  }),
}

function head({ body }: RecordedRequest, object: string) {
  return { id: 'chatcmpl-fake', object, created: 1_790_000_000, model: fieldsOf(body)['model'] }
}

function stopOf({ stop, toolCalls }: AnswerMeaning): string {
  return stop ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')
}

function callDeltas(call: AnswerMeaning['toolCalls'][number], index: number): object[] {
  const { id, name, arguments: text } = call
  const half = Math.ceil(text.length / 2)
  return [
    { index, id, type: 'function', function: { name, arguments: '' } },
    { index, function: { arguments: text.slice(0, half) } },
    { index, function: { arguments: text.slice(half) } },
  ]
}

function usageOf(usage: UsageMeaning) {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cachedTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  }
}

function eventOf(value: object): Buffer {
  return Buffer.from(`data: ${JSON.stringify(value)}\n\n`)
}
