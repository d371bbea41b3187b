/** The suite of all wires over Ollama's own API. */
import { Ollama, type Message } from 'ollama'
import { wires } from '../../src/service/families/upstreams.ts'
import { describeProvider } from './describe-provider.ts'
import { jsonReply, presetsOf, type DocumentedError, type WireHarness } from './harness.ts'
import { ollamaFormat, withoutImageTypes } from './ollama/format.ts'

const client = (host: string) => new Ollama({ host, headers: { authorization: 'Bearer test-key' } })
const question = { model: 'some/model:1', messages: [{ role: 'user', content: 'Hello' }] }

function readingOf(messages: readonly Message[]) {
  return {
    text: messages.map(({ content }) => content).join(''),
    toolCalls: messages.flatMap(({ tool_calls = [] }) =>
      tool_calls.map(({ function: { name, arguments: input } }) => ({ name, input })),
    ),
  }
}

/** Ollama's errors have a text and no code. */
function refusal(status: number, kind: DocumentedError['kind'], error: string): DocumentedError {
  const source = documented.has(status)
    ? 'https://docs.ollama.com/api/errors'
    : 'https://github.com/ollama/ollama/blob/main/server/routes.go'
  return { name: error, source, reply: jsonReply(status, { error }), kind }
}
const documented: ReadonlySet<number> = new Set([400, 404, 429, 500, 502])

const streamError = (error: string) => Buffer.from(`${JSON.stringify({ error })}\n`)

const harness: WireHarness = {
  wire: wires.ollama,
  presets: presetsOf('ollama'),
  basePath: '',
  format: ollamaFormat,
  differs: {
    'an image at an address': 'need',
    'a document': 'need',
    'a failed tool result': 'left_out',
    'a forbidden tool call': (sent) => ({ ...sent, tools: [], toolChoice: null }),
    'an automatic choice of tools': (sent) => ({ ...sent, toolChoice: null }),
    'a required tool call': 'left_out',
    'a named tool': 'left_out',
    // Modelport drops the further calls of the answer.
    'one tool call at a time': (sent) => ({ ...sent, parallelToolCalls: null }),
    'a reasoning budget': 'left_out',
    'several answers': 'need',
    'a logit bias': 'left_out',
    'audio input': 'need',
    'cache marks': 'left_out',
  },
  normalize: withoutImageTypes,
  unreported: ['cacheWriteTokens', 'reasoningTokens'],
  stops: [
    ['stop', 'stop'],
    ['length', 'length'],
    ['load', 'load'],
    ['unload', 'unload'],
    ['a_new_reason', 'a_new_reason'],
  ],
  errors: [
    refusal(400, 'request', 'prompt too long; exceeded max context length by 4 tokens'),
    refusal(400, 'request', '"some/model:1" does not support tools'),
    refusal(401, 'auth', 'unauthorized'),
    refusal(402, 'credit', 'out of usage'),
    refusal(403, 'auth', 'this model requires a subscription'),
    refusal(404, 'unavailable', 'model "some/model:1" not found, try pulling it first'),
    refusal(413, 'request', 'request body too large'),
    refusal(500, 'unavailable', 'model requires more system memory (9.1 GiB) than is available'),
    refusal(502, 'unavailable', 'the cloud model cannot be reached'),
    refusal(503, 'unavailable', 'server busy, please try again. maximum pending requests exceeded'),
  ],
  retryAfter: [],
  streamErrors: [
    {
      name: 'the documented error',
      event: streamError('an error was encountered while running the model'),
      kind: 'unavailable',
    },
    {
      name: 'a tool call that Ollama cannot read',
      event: streamError('XML syntax error on line 3: unexpected EOF'),
      kind: 'unavailable',
    },
  ],
  optionalEvents: 0,
  hasOwnReader: true,
  sdk: {
    async whole(url) {
      return readingOf([(await client(url).chat({ ...question, stream: false })).message])
    },
    async streamed(url) {
      const messages: Message[] = []
      for await (const { message } of await client(url).chat({ ...question, stream: true })) {
        messages.push(message)
      }
      return readingOf(messages)
    },
  },
}

describeProvider('ollama', harness)
