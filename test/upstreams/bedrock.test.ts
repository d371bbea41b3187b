/** The suite of all wires over Bedrock's Converse. */
import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  type ContentBlock,
} from '@aws-sdk/client-bedrock-runtime'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { bedrock } from '../../src/service/families/bedrock/upstream/bedrock.ts'
import { describeProvider } from './describe-provider.ts'
import { presetsOf, type DocumentedError, type SdkReading, type WireHarness } from './harness.ts'
import { accessKey, awsError, bedrockFormat, frame, sdkCredentials } from './bedrock/fake.ts'
import type { Item, RequestMeaning } from './request-meaning.ts'

const codes =
  'https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html'

function documented(
  kind: DocumentedError['kind'],
  status: number,
  [name, message]: readonly [name: string, message: string],
): DocumentedError {
  return {
    name: `${name} “${message.slice(0, 40)}”`,
    source: codes,
    reply: awsError(status, name, message),
    kind,
  }
}

const arn = 'arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude'
const errors: readonly DocumentedError[] = [
  documented('request', 400, [
    'ValidationException',
    'The text field in the ContentBlock object is blank.',
  ]),
  documented('request', 400, ['ValidationException', 'Input is too long for requested model.']),
  documented('unavailable', 400, [
    'ValidationException',
    'The provided model identifier is invalid.',
  ]),
  documented('request', 400, [
    'ValidationException',
    'Value "operation not allowed: on-demand throughput" of tool 0 is not a name.',
  ]),
  documented('unavailable', 400, [
    'ValidationException',
    'Invocation of model ID x with on-demand throughput isn’t supported.',
  ]),
  documented('auth', 403, [
    'UnrecognizedClientException',
    'The security token included in the request is invalid.',
  ]),
  documented('auth', 403, [
    'ExpiredTokenException',
    'The security token included in the request is expired',
  ]),
  documented('auth', 403, [
    'InvalidSignatureException',
    'Signature expired: 20261122T000000Z is now earlier than …',
  ]),
  documented('auth', 403, [
    'AccessDeniedException',
    'Authentication failed: Please make sure your API Key is valid.',
  ]),
  documented('unavailable', 403, [
    'AccessDeniedException',
    "You don't have access to the model with the specified model ID.",
  ]),
  documented('unavailable', 403, [
    'AccessDeniedException',
    `User: arn:aws:iam::1:user/a is not authorized to perform: bedrock:InvokeModel on resource: ${arn}`,
  ]),
  documented('unavailable', 404, [
    'ResourceNotFoundException',
    'Could not resolve the foundation model',
  ]),
  documented('timeout', 408, [
    'ModelTimeoutException',
    'Model has timed out in processing the request.',
  ]),
  documented('rate_limit', 400, ['ServiceQuotaExceededException', 'Too many tokens per day']),
  documented('unavailable', 424, ['ModelErrorException', 'The model returned an error.']),
  documented('unavailable', 429, ['ModelNotReadyException', 'Model is not ready for inference.']),
  documented('unavailable', 500, [
    'InternalServerException',
    'The system encountered an unexpected error.',
  ]),
  documented('unavailable', 503, [
    'ServiceUnavailableException',
    'Bedrock is unable to process your request.',
  ]),
]

const client = (endpoint: string) =>
  new BedrockRuntimeClient({
    endpoint,
    region: 'us-east-1',
    credentials: sdkCredentials,
    maxAttempts: 1,
    // Its own default is HTTP/2, which needs TLS.
    requestHandler: new NodeHttpHandler(),
  })
const question = {
  modelId: 'anthropic.claude-sonnet-5',
  messages: [{ role: 'user' as const, content: [{ text: 'Hello' }] }],
}

function readingOf(content: readonly ContentBlock[]): SdkReading {
  return {
    text: content.map(({ text }) => text ?? '').join(''),
    toolCalls: content.flatMap(({ toolUse }) =>
      toolUse === undefined ? [] : [{ name: toolUse.name ?? '', input: toolUse.input }],
    ),
  }
}

async function readSdkStream(url: string): Promise<SdkReading> {
  const { stream } = await client(url).send(new ConverseStreamCommand(question))
  const reading = { text: '', toolCalls: [] as { name: string; text: string }[] }
  for await (const { contentBlockStart, contentBlockDelta } of stream ?? []) {
    const name = contentBlockStart?.start?.toolUse?.name
    if (name !== undefined) reading.toolCalls.push({ name, text: '' })
    reading.text += contentBlockDelta?.delta?.text ?? ''
    const last = reading.toolCalls.at(-1)
    if (last !== undefined) last.text += contentBlockDelta?.delta?.toolUse?.input ?? ''
  }
  const toolCalls = reading.toolCalls.map(({ name, text }) => ({
    name,
    input: JSON.parse(text === '' ? '{}' : text) as unknown,
  }))
  return { text: reading.text, toolCalls }
}

const sent = (change: Partial<RequestMeaning>) => (meaning: RequestMeaning) => ({
  ...meaning,
  ...change,
})

/** Converse takes the results of tools before everything else of a turn, and documents only beside a text. */
const harness: WireHarness = {
  wire: bedrock,
  presets: presetsOf('bedrock'),
  basePath: '',
  options: { region: 'eu-central-1' },
  create: (connection) => bedrock.create({ ...connection, apiKey: () => accessKey }),
  format: bedrockFormat,
  differs: {
    'system prompts in several places': (meaning) => ({
      ...meaning,
      items: meaning.items.map((item, place): Item =>
        item.from === 'system' && place > 0 && 'text' in item
          ? { from: 'user', kind: 'text', text: `<system>\n${item.text}\n</system>` }
          : item,
      ),
    }),
    'an image at an address': 'need',
    'a forbidden tool call': sent({ tools: [] }),
    'one tool call at a time': 'left_out',
    'JSON output': (meaning) => ({
      ...meaning,
      format: null,
      items: [
        {
          from: 'system',
          kind: 'text',
          text: 'Answer with one valid JSON object and nothing else.',
        },
        ...meaning.items,
      ],
    }),
    'a reasoning effort': 'left_out',
    'a reasoning budget': (meaning) => ({ ...meaning, thinkingTokens: null }),
    'a high temperature': sent({ temperature: 1 }),
    penalties: 'left_out',
    'a seed': 'need',
    'several answers': 'need',
    logprobs: 'need',
    'a logit bias': 'left_out',
    'cache marks': 'left_out',
    'a user': 'left_out',
  },
  unreported: ['reasoningTokens'],
  stops: [
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['tool_use', 'tool_calls'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['content_filtered', 'content_filter'],
    ['guardrail_intervened', 'content_filter'],
    ['malformed_model_output', 'malformed_model_output'],
    ['malformed_tool_use', 'malformed_tool_use'],
    ['brand_new_reason', 'brand_new_reason'],
  ],
  errors,
  retryAfter: [],
  streamErrors: [
    {
      name: 'a throttled model',
      event: frame('exception', 'throttlingException', { message: 'Too many tokens' }),
      kind: 'rate_limit',
    },
    {
      name: 'a failed model',
      event: frame('exception', 'modelStreamErrorException', {
        originalStatusCode: 500,
        message: 'x',
      }),
      kind: 'unavailable',
    },
    {
      name: 'an invalid request',
      event: frame('exception', 'validationException', { message: 'Bad input' }),
      kind: 'request',
    },
    {
      name: 'an internal error',
      event: frame('exception', 'internalServerException', { message: 'x' }),
      kind: 'unavailable',
    },
    { name: 'a damaged frame', event: damaged(), kind: 'invalid_response' },
  ],
  optionalEvents: 1,
  hasOwnReader: true,
  sdk: {
    async whole(url) {
      const { output } = await client(url).send(new ConverseCommand(question))
      return readingOf(output?.message?.content ?? [])
    },
    streamed: readSdkStream,
  },
}

/** A frame with one changed byte, which its checksum reveals. */
function damaged(): Buffer {
  const bytes = frame('event', 'contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'x' } })
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 10) ^ 1, bytes.length - 10)
  return bytes
}

describeProvider('bedrock', harness)

/** Claude's models take more of the inner form than others behind Converse. */
const { hasOwnReader: _above, ...sharedHarness } = harness
describeProvider('bedrock (Claude)', {
  ...sharedHarness,
  model: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
  presets: [],
  reasoning: { format: 'anthropic-claude-v1', types: ['reasoning.text', 'reasoning.encrypted'] },
  differs: {
    ...harness.differs,
    'one tool call at a time': (meaning) => meaning,
    'a reasoning effort': sent({ effort: null, thinkingTokens: 16_384 }),
    'a reasoning budget': (meaning) => meaning,
    'cache marks': (meaning) => meaning,
  },
})
