/** What a request can hold beyond plain text, one body each. Every wire carries each, or declares how it differs. */
import type { ChatMessage, ChatRequest } from '../../src/shared/chat/chat.ts'
import type { Capability } from '../../src/shared/models/model-abilities.ts'

/** One pixel. */
export const pngBase64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const pdfBase64 = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64')

const user = (content: ChatMessage['content']): ChatMessage => ({ role: 'user', content })
const question = [user('What is the weather in Paris and Rome?')]
const image = {
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${pngBase64}` },
} as const
const document = {
  type: 'file',
  file: { filename: 'report.pdf', file_data: `data:application/pdf;base64,${pdfBase64}` },
} as const

const parameters = {
  type: 'object',
  properties: { city: { type: 'string', description: 'A city' } },
  required: ['city'],
  additionalProperties: false,
}
export const tools = [
  { type: 'function', function: { name: 'weather', description: 'Looks up weather', parameters } },
  { type: 'function', function: { name: 'time', description: 'Tells the time', parameters } },
]
const call = (id: string, city: string) => {
  const called = { name: 'weather', arguments: JSON.stringify({ city }) }
  return { id, type: 'function', function: called } as const
}
const calls: ChatMessage = {
  role: 'assistant',
  content: null,
  tool_calls: [call('call_1', 'Paris')],
}
const twoCalls: ChatMessage = {
  role: 'assistant',
  content: 'I will look.',
  tool_calls: [call('call_1', 'Paris'), call('call_2', 'Rome')],
}
const result = (id: string, content: ChatMessage['content'], more: object = {}): ChatMessage => ({
  role: 'tool',
  tool_call_id: id,
  content,
  ...more,
})
const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'number' } },
  required: ['city', 'degrees'],
  additionalProperties: false,
}

interface FeatureBody {
  body: ChatRequest
  /** The parameter that `leftOut` names if the wire leaves the feature out. */
  parameter: string
  /** The capability in `Wire.lacks` if the feature is a need. */
  capability?: Capability
}

const messages = question

export const features = {
  'a system prompt': {
    body: { messages: [{ role: 'system', content: 'Be brief.' }, ...question] },
    parameter: 'messages',
  },
  'system prompts in several places': {
    body: {
      messages: [
        { role: 'system', content: 'Be brief.' },
        user('Hello'),
        { role: 'assistant', content: 'Hi.' },
        { role: 'developer', content: 'From now on in French.' },
        user('Hello again'),
      ],
    },
    parameter: 'messages',
  },
  'several messages of the user in a row': {
    body: { messages: [user('First.'), user([{ type: 'text', text: 'Second.' }]), user('Third.')] },
    parameter: 'messages',
  },
  'an image': {
    body: { messages: [user([{ type: 'text', text: 'What is this?' }, image])] },
    parameter: 'image_url',
    capability: 'vision',
  },
  'an image at an address': {
    body: {
      messages: [
        user([{ type: 'image_url', image_url: { url: 'https://images.example/cat.png' } }]),
      ],
    },
    parameter: 'image_url',
    capability: 'vision',
  },
  'a document': {
    body: { messages: [user([document, { type: 'text', text: 'Summarize it.' }])] },
    parameter: 'file',
    capability: 'files',
  },
  tools: { body: { messages, tools }, parameter: 'tools', capability: 'tools' },
  'a tool result': {
    body: { messages: [...question, calls, result('call_1', 'Sunny')], tools },
    parameter: 'messages',
    capability: 'tools',
  },
  'results of parallel calls and a remark': {
    body: {
      messages: [
        ...question,
        twoCalls,
        result('call_1', 'Sunny'),
        result('call_2', '{"sky":"cloudy"}'),
        user('In Celsius, please.'),
      ],
      tools,
    },
    parameter: 'messages',
    capability: 'tools',
  },
  'a tool result with an image': {
    body: {
      messages: [...question, calls, result('call_1', [{ type: 'text', text: 'A map' }, image])],
      tools,
    },
    parameter: 'image_url',
    capability: 'vision',
  },
  'a failed tool result': {
    body: {
      messages: [...question, calls, result('call_1', 'Timed out', { is_error: true })],
      tools,
    },
    parameter: 'is_error',
  },
  'a forbidden tool call': {
    body: { messages, tools, tool_choice: 'none' },
    parameter: 'tool_choice',
  },
  'an automatic choice of tools': {
    body: { messages, tools, tool_choice: 'auto' },
    parameter: 'tool_choice',
  },
  'a required tool call': {
    body: { messages, tools, tool_choice: 'required' },
    parameter: 'tool_choice',
    capability: 'tools',
  },
  'a named tool': {
    body: { messages, tools, tool_choice: { type: 'function', function: { name: 'time' } } },
    parameter: 'tool_choice',
    capability: 'tools',
  },
  'one tool call at a time': {
    body: { messages, tools, parallel_tool_calls: false },
    parameter: 'parallel_tool_calls',
  },
  'JSON output': {
    body: {
      messages: [user('Answer as JSON.')],
      response_format: { type: 'json_object' },
    },
    parameter: 'response_format',
    capability: 'json_object',
  },
  'a JSON schema': {
    body: {
      messages,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'weather', strict: true, schema },
      },
    },
    parameter: 'response_format',
    capability: 'json',
  },
  'a reasoning effort': {
    body: { messages, reasoning_effort: 'high' },
    parameter: 'reasoning_effort',
  },
  'a reasoning budget': {
    body: { messages, reasoning: { max_tokens: 2048 }, max_tokens: 4096 },
    parameter: 'reasoning',
  },
  'a limit of tokens': { body: { messages, max_tokens: 77 }, parameter: 'max_tokens' },
  'stop sequences': { body: { messages, stop: ['END', '###'] }, parameter: 'stop' },
  'a temperature': { body: { messages, temperature: 0.5 }, parameter: 'temperature' },
  'a high temperature': { body: { messages, temperature: 1.7 }, parameter: 'temperature' },
  'nucleus sampling': { body: { messages, top_p: 0.9 }, parameter: 'top_p' },
  penalties: {
    body: { messages, presence_penalty: 0.5, frequency_penalty: 0.5 },
    parameter: 'presence_penalty',
  },
  'a seed': { body: { messages, seed: 7 }, parameter: 'seed', capability: 'seed' },
  'several answers': { body: { messages, n: 2 }, parameter: 'n', capability: 'n' },
  logprobs: {
    body: { messages, logprobs: true, top_logprobs: 3 },
    parameter: 'logprobs',
    capability: 'logprobs',
  },
  'a logit bias': { body: { messages, logit_bias: { 50256: -100 } }, parameter: 'logit_bias' },
  'audio input': {
    body: {
      messages: [user([{ type: 'input_audio', input_audio: { data: pngBase64, format: 'wav' } }])],
    },
    parameter: 'input_audio',
    capability: 'audio',
  },
  'cache marks': {
    body: {
      messages: [
        {
          role: 'system',
          content: [{ type: 'text', text: 'Long rules.', cache_control: { type: 'ephemeral' } }],
        },
        ...question,
      ],
    },
    parameter: 'cache_control',
  },
  'a user': { body: { messages, user: 'user-1' }, parameter: 'user' },
} satisfies Readonly<Record<string, FeatureBody>>

export type Feature = keyof typeof features

/** Typed alike, for the suite's table. */
export const featureList: readonly (FeatureBody & { name: Feature })[] = Object.entries(
  features,
).map(([name, feature]) => ({ ...feature, name: name as Feature }))
