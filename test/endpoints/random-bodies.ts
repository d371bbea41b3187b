/** Bodies of random conversations in the form of each door. */
import type { ChatMessage, ChatRequest } from '../../src/shared/chat/chat.ts'
import type { Feature } from '../upstreams/features.ts'

type Json = Record<string, unknown>

/** What these bodies carry in all forms. */
export const carriedByAllDoors: readonly Feature[] = [
  'tools',
  'a system prompt',
  'a limit of tokens',
  'a temperature',
  'nucleus sampling',
  'an automatic choice of tools',
  'a required tool call',
  'a named tool',
]

export interface DoorForm {
  /** Path after the router's address. */
  path: string
  /** Path of a stream, where the body does not say so. */
  streamPath?: string
  body: (chat: ChatRequest) => Json
}

export const doorForms = {
  chat: { path: 'v1/chat/completions', body: (chat: ChatRequest): Json => ({ ...chat }) },
  responses: { path: 'v1/responses', body: toResponses },
  messages: { path: 'v1/messages', body: toMessages },
  gemini: {
    path: 'v1beta/models/auto:generateContent',
    streamPath: 'v1beta/models/auto:streamGenerateContent?alt=sse',
    body: toGemini,
  },
} satisfies Record<string, DoorForm>

const functionsOf = (tools: NonNullable<ChatRequest['tools']>) =>
  tools.map((tool) => tool['function'] as Json)
const textOf = ({ content }: ChatMessage) => (typeof content === 'string' ? content : '')

function toResponses({ messages, tools, tool_choice, max_tokens, ...rest }: ChatRequest): Json {
  return {
    input: messages.flatMap((message) => toItems(message)),
    ...(tools && {
      tools: functionsOf(tools).map((called) => ({ type: 'function', strict: false, ...called })),
    }),
    ...(tool_choice !== undefined && { tool_choice: flatChoice(tool_choice) }),
    ...(max_tokens !== undefined && { max_output_tokens: max_tokens }),
    ...sampling(rest),
  }
}

function toItems(message: ChatMessage): Json[] {
  const { role, tool_calls: calls = [], tool_call_id: callId } = message
  if (role === 'tool')
    return [{ type: 'function_call_output', call_id: callId, output: textOf(message) }]
  const items = calls.map(({ id, function: called }) => ({
    type: 'function_call',
    call_id: id,
    ...called,
  }))
  return textOf(message) === '' ? items : [{ role, content: textOf(message) }, ...items]
}

function flatChoice(choice: unknown): unknown {
  if (typeof choice === 'string') return choice
  return { type: 'function', name: (choice as { function: { name: string } }).function.name }
}

function toMessages({ messages, tools, tool_choice, max_tokens, ...rest }: ChatRequest): Json {
  const [first, ...others] = messages
  const hasSystem = first?.role === 'system'
  return {
    max_tokens: max_tokens ?? 1_024,
    ...(hasSystem && { system: textOf(first) }),
    messages: (hasSystem ? others : messages).map((message) => toTurn(message)),
    ...(tools && {
      tools: functionsOf(tools).map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: parameters,
      })),
    }),
    ...(tool_choice !== undefined && { tool_choice: anthropicChoice(tool_choice) }),
    ...sampling(rest),
  }
}

function toTurn(message: ChatMessage): Json {
  const { role, tool_calls: calls = [], tool_call_id: id } = message
  const text = textOf(message)
  if (role === 'tool') {
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] }
  }
  const uses = calls.map(({ id: callId, function: called }) => ({
    type: 'tool_use',
    id: callId,
    name: called?.name,
    input: JSON.parse(called?.arguments ?? '{}') as unknown,
  }))
  return { role, content: [...(text === '' ? [] : [{ type: 'text', text }]), ...uses] }
}

function anthropicChoice(choice: unknown): Json {
  if (choice === 'required') return { type: 'any' }
  if (choice === 'auto') return { type: 'auto' }
  return { type: 'tool', name: (choice as { function: { name: string } }).function.name }
}

function toGemini({ messages, tools, tool_choice, max_tokens, ...rest }: ChatRequest): Json {
  const [first, ...others] = messages
  const hasSystem = first?.role === 'system'
  const { temperature, top_p: topP } = rest
  return {
    contents: (hasSystem ? others : messages).map((message) => toContent(message, messages)),
    ...(hasSystem && { systemInstruction: { parts: [{ text: textOf(first) }] } }),
    ...(tools && {
      tools: [
        {
          functionDeclarations: functionsOf(tools).map(({ name, description, parameters }) => ({
            name,
            description,
            parametersJsonSchema: parameters,
          })),
        },
      ],
    }),
    ...(tool_choice !== undefined && {
      toolConfig: { functionCallingConfig: geminiChoice(tool_choice) },
    }),
    generationConfig: {
      ...(max_tokens !== undefined && { maxOutputTokens: max_tokens }),
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { topP }),
    },
  }
}

function toContent(message: ChatMessage, messages: readonly ChatMessage[]): Json {
  const { role, tool_calls: calls = [], tool_call_id: id } = message
  const text = textOf(message)
  if (role === 'tool') {
    const called = messages.flatMap((each) => each.tool_calls ?? []).find((call) => call.id === id)
    const response = { id, name: called?.function?.name, response: { output: text } }
    return { role: 'user', parts: [{ functionResponse: response }] }
  }
  const parts = calls.map(({ id: callId, function: called }) => ({
    functionCall: {
      id: callId,
      name: called?.name,
      args: JSON.parse(called?.arguments ?? '{}') as unknown,
    },
  }))
  const texts = text === '' && parts.length > 0 ? [] : [{ text }]
  return { role: role === 'assistant' ? 'model' : 'user', parts: [...texts, ...parts] }
}

function geminiChoice(choice: unknown): Json {
  if (choice === 'required') return { mode: 'ANY' }
  if (choice === 'auto') return { mode: 'AUTO' }
  const { name } = (choice as { function: { name: string } }).function
  return { mode: 'ANY', allowedFunctionNames: [name] }
}

/** Parameters in the range of both families. */
function sampling({ temperature, top_p }: Partial<ChatRequest>): Json {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
  }
}
