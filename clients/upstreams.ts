/** The fake upstreams of all clients: vendors' forms on loopback, with the same answers behind them. */
import { anthropicFormat } from '../test/upstreams/anthropic/fake.ts'
import type { FakeFormat, RecordedRequest } from '../test/upstreams/harness.ts'
import { openAiFormat } from '../test/upstreams/openai-chat/fake.ts'
import { responsesFormat } from '../test/upstreams/openai-responses/fake.ts'
import { jsonReply } from '../test/upstreams/harness.ts'
import { startWireServer, type FakeScript, type WireServer } from '../test/upstreams/wire-server.ts'
import { answerEverySecond, answerTo } from './answers.ts'

export interface Upstreams {
  chat: WireServer
  responses: WireServer
  messages: WireServer
  /** A server of Anthropic's form that is overloaded at every second step of a conversation. */
  unsteady: WireServer
  /** A server that always answers 500. */
  broken: WireServer
  all: readonly WireServer[]
  close(): Promise<void>
}

export async function startUpstreams(): Promise<Upstreams> {
  const servers = {
    chat: await startAnswering(bothOpenAiFormats, answerTo),
    responses: await startAnswering(responsesFormat, answerTo),
    messages: await startAnswering(anthropicFormat, answerTo),
    unsteady: await startAnswering(anthropicFormat, answerEverySecond),
    broken: await startWireServer(bothOpenAiFormats),
  }
  const error = { message: 'The server had an error', type: 'server_error', code: null }
  servers.broken.script({ reply: jsonReply(500, { error }) })
  const all = Object.values(servers)
  const close = async () => {
    await Promise.all(all.map((server) => server.close()))
  }
  return { ...servers, all, close }
}

async function startAnswering(format: FakeFormat, answer: typeof answerTo): Promise<WireServer> {
  const server = await startWireServer(format)
  server.script((request) => {
    const meaning = format.read(request)
    return withinLimit(answer(meaning), meaning.maxTokens, lengthStopOf(request.path))
  })
  return server
}

/** OpenAI's models take both forms. */
const bothOpenAiFormats: FakeFormat = {
  ...openAiFormat,
  route: (request) => formOf(request).route(request),
  problems: (request) => formOf(request).problems(request),
  read: (request) => formOf(request).read(request),
  whole: (answer, request) => formOf(request).whole(answer, request),
  stream: (answer, request) => formOf(request).stream(answer, request),
}

function formOf({ path }: RecordedRequest): FakeFormat {
  return path.endsWith('/responses') ? responsesFormat : openAiFormat
}

/** The vendors' words for an answer that was cut. */
function lengthStopOf(path: string): string {
  if (path.endsWith('/messages')) return 'max_tokens'
  return path.endsWith('/responses') ? 'max_output_tokens' : 'length'
}

/** Cuts an answer to the request's limit, one piece for a token. */
function withinLimit(script: FakeScript, limit: number | null, stop: string): FakeScript {
  if (script === 'hang' || !('answer' in script) || limit === null) return script
  const { answer } = script
  if (answer.toolCalls.length > 0 || limit >= answer.usage.completionTokens) return script
  const usage = { ...answer.usage, completionTokens: limit }
  return { ...script, answer: { ...answer, texts: answer.texts.slice(0, limit), usage, stop } }
}
