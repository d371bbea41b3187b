/** The suite of all wires over Anthropic's Messages. */
import Anthropic from '@anthropic-ai/sdk'
import type { Message } from '@anthropic-ai/sdk/resources/messages'
import { wires } from '../../src/service/families/upstreams.ts'
import { anthropicFormat, event } from './anthropic/fake.ts'
import { describeProvider } from './describe-provider.ts'
import { jsonReply, presetsOf, type DocumentedError, type WireHarness } from './harness.ts'
import type { RequestMeaning } from './request-meaning.ts'

function documented(
  status: number,
  type: string,
  message: string,
): Pick<DocumentedError, 'name' | 'source' | 'reply'> {
  return {
    name: `${status} ${type}: ${message}`,
    source: 'https://platform.claude.com/docs/en/api/errors',
    reply: jsonReply(status, { type: 'error', error: { type, message }, request_id: 'req_fake' }),
  }
}

const errors: readonly DocumentedError[] = [
  { ...documented(400, 'invalid_request_error', 'max_tokens: Field required'), kind: 'request' },
  {
    ...documented(
      400,
      'invalid_request_error',
      'prompt is too long: 208310 tokens > 200000 maximum',
    ),
    kind: 'request',
  },
  {
    ...documented(
      400,
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API.',
    ),
    kind: 'credit',
  },
  { ...documented(401, 'authentication_error', 'invalid x-api-key'), kind: 'auth' },
  { ...documented(402, 'billing_error', 'There is an issue with your billing'), kind: 'credit' },
  {
    ...documented(403, 'permission_error', 'Your API key may not use this resource'),
    kind: 'auth',
  },
  { ...documented(404, 'not_found_error', 'model: claude-0'), kind: 'unavailable' },
  { ...documented(413, 'request_too_large', 'Request exceeds the maximum size'), kind: 'request' },
  { ...documented(500, 'api_error', 'Internal server error'), kind: 'unavailable' },
  { ...documented(504, 'timeout_error', 'Request timed out'), kind: 'timeout' },
  { ...documented(529, 'overloaded_error', 'Overloaded'), kind: 'unavailable' },
]

const client = (baseURL: string) => new Anthropic({ baseURL, apiKey: 'k', maxRetries: 0 })
const question = {
  model: 'claude-opus-5-5',
  max_tokens: 1024,
  messages: [{ role: 'user' as const, content: 'Hello' }],
}

function readingOf({ content }: Message) {
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    toolCalls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ name: block.name, input: block.input }] : [],
    ),
  }
}

/** The later system prompt as a text of the user, for models that take none. */
function systemAsUserText(sent: RequestMeaning): RequestMeaning {
  const later = sent.items.findLastIndex(({ from }) => from === 'system')
  const items = sent.items.map((item, index): typeof item =>
    index === later && item.kind === 'text'
      ? { from: 'user', kind: 'text', text: `<system>\n${item.text}\n</system>` }
      : item,
  )
  return { ...sent, items }
}

/** A later system prompt stands after the user's words of its turn. */
function systemAfterUser(sent: RequestMeaning): RequestMeaning {
  const items = [...sent.items]
  const later = items.findLastIndex(({ from }) => from === 'system')
  items.push(...items.splice(later, 1))
  return { ...sent, items }
}

const harness: WireHarness = {
  wire: wires.anthropic,
  model: 'claude-sonnet-4-5',
  presets: presetsOf('anthropic'),
  basePath: '',
  format: anthropicFormat,
  differs: {
    'system prompts in several places': systemAsUserText,
    'JSON output': (sent) => ({
      ...sent,
      format: null,
      items: [
        {
          from: 'system',
          kind: 'text',
          text: 'Answer with one valid JSON object and nothing else.',
        },
        ...sent.items,
      ],
    }),
    'an automatic choice of tools': (sent) => ({ ...sent, toolChoice: null }),
    'one tool call at a time': (sent) => ({ ...sent, toolChoice: 'auto' }),
    'a reasoning effort': (sent) => ({ ...sent, effort: null, thinkingTokens: 16_384 }),
    'a high temperature': (sent) => ({ ...sent, temperature: 1 }),
    penalties: 'left_out',
    'a seed': 'need',
    'several answers': 'need',
    logprobs: 'need',
    'a logit bias': 'left_out',
    'audio input': 'need',
  },
  unreported: [],
  stops: [
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool_calls'],
    ['refusal', 'content_filter'],
    ['pause_turn', 'pause_turn'],
    ['brand_new_reason', 'brand_new_reason'],
  ],
  errors,
  reasoning: { format: 'anthropic-claude-v1', types: ['reasoning.text', 'reasoning.encrypted'] },
  retryAfter: [],
  streamErrors: [
    {
      name: 'an overloaded model',
      event: event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      kind: 'unavailable',
    },
    {
      name: 'a rate limit',
      event: event({ type: 'error', error: { type: 'rate_limit_error', message: 'Slow down' } }),
      kind: 'rate_limit',
    },
    {
      name: 'text that is not JSON',
      event: Buffer.from('data: {"type":"content\n\n'),
      kind: 'invalid_response',
    },
  ],
  optionalEvents: 1,
  sdk: {
    async whole(url) {
      return readingOf(await client(url).messages.create(question))
    },
    async streamed(url) {
      return readingOf(await client(url).messages.stream(question).finalMessage())
    },
  },
}

describeProvider('anthropic', harness)

const { 'a high temperature': _above, ...differs } = harness.differs
describeProvider('anthropic, for newer models', {
  ...harness,
  model: 'claude-opus-5-5',
  differs: {
    ...differs,
    'system prompts in several places': systemAfterUser,
    'a required tool call': (sent) => ({ ...sent, toolChoice: null }),
    'a named tool': (sent) => ({ ...sent, toolChoice: null }),
    'a reasoning effort': (sent) => sent,
    'a reasoning budget': (sent) => ({ ...sent, effort: 'low', thinkingTokens: null }),
    'a temperature': 'left_out',
    'a high temperature': 'left_out',
    'nucleus sampling': 'left_out',
  },
})
