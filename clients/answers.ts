/**
 * The answers of the fake upstreams. They depend only on the conversation, so that each wire, each door and each
 * client gets the same ones.
 */
import type { RequestMeaning } from '../test/upstreams/request-meaning.ts'
import { answerOf, jsonReply } from '../test/upstreams/harness.ts'
import { inPieces, type FakeScript } from '../test/upstreams/wire-server.ts'
import { agentStep, isAgentTurn } from './agent-steps.ts'
import { exampleOf, facts } from './example.ts'

/** What a client asks, and what it gets. */
export const prompts = {
  plain: 'Say hello.',
  stream: 'Say hello.',
  abort: 'Write a very long story about a dog and a cat and count slowly to one thousand.',
  tools: 'What is the weather in Paris? Use the tool.',
  structured: 'Name a city and its population.',
} as const

const hello = ['Hello ', 'from ', 'the ', 'upstream.'] as const
export const helloText = hello.join('')

export const toolInput = { city: facts['city'] }
export const structuredValue = { ...facts }

export function textAfterTool(result: string): string {
  return `The tool says: ${result}`
}

/** A stream is written in pieces that do not end where events end. */
const writeBytes = 150
const writePauseMs = 3

/** Number of events before the silence: enough for every wire to have sent some text. */
const eventsBeforeSilence = 6

export function answerTo(request: RequestMeaning): FakeScript {
  if (isAgentTurn(request)) return { answer: agentStep(request) }
  const result = lastToolResult(request)
  if (result !== null) return { answer: answerOf({ texts: [textAfterTool(result)] }) }
  if (mustCallTool(request)) return { answer: answerOf({ toolCalls: [callOf(request)] }) }
  if (wantsJson(request)) {
    const { schema = null } = typeof request.format === 'object' ? (request.format ?? {}) : {}
    const value = schema === null ? structuredValue : exampleOf(schema)
    return { answer: answerOf({ texts: [JSON.stringify(value)] }) }
  }
  if (userText(request).includes(prompts.abort)) {
    const texts = ['one ', 'two ', 'three ', 'four ', 'five ', 'six ']
    return {
      answer: answerOf({ texts }),
      break: { afterEvents: eventsBeforeSilence, how: 'hang' },
    }
  }
  const cut = (bytes: Buffer) => inPieces(bytes, writeBytes)
  return { answer: answerOf({ texts: hello }), cut, pauseMs: writePauseMs }
}

/** Answers after every odd number of tool results, so that a conversation changes its vendor at each step. */
export function answerEverySecond(request: RequestMeaning): FakeScript {
  const results = request.items.filter(({ kind }) => kind === 'result').length
  if (results % 2 === 0) return answerTo(request)
  const error = { type: 'overloaded_error', message: 'Overloaded' }
  return { reply: jsonReply(529, { type: 'error', error, request_id: 'req_fake' }) }
}

/** Vendors without a JSON mode have only the prompt. */
function wantsJson(request: RequestMeaning): boolean {
  return request.format !== null || /\bJSON\b/.test(userText(request))
}

function lastToolResult({ items }: RequestMeaning): string | null {
  const last = items.at(-1)
  if (last?.kind !== 'result') return null
  return last.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
}

function mustCallTool({ tools, toolChoice, ...request }: RequestMeaning): boolean {
  if (tools.length === 0 || toolChoice === 'none') return false
  if (toolChoice !== null && toolChoice !== 'auto') return true
  return userText({ tools, toolChoice, ...request }).includes(prompts.tools)
}

/** The call of the tool that the request wants, or of the first, with an argument for each of its properties. */
function callOf({ tools, toolChoice }: RequestMeaning) {
  const wanted = typeof toolChoice === 'object' ? toolChoice?.name : undefined
  const tool = tools.find(({ name }) => name === wanted) ?? tools[0]
  const input = exampleOf(tool?.parameters)
  return { id: 'call_1', name: tool?.name ?? '', arguments: JSON.stringify(input) }
}

export function userText({ items }: RequestMeaning): string {
  return items
    .map((item) => (item.from === 'user' && item.kind === 'text' ? item.text : ''))
    .join('\n')
}
