/** Keep-alives before and between the provider's own events. */
import { expect, test } from 'vitest'
import { ServiceError } from '../../../errors.ts'
import { ToolNames } from '../../tool-names.ts'
import { ResponseStream } from './write-stream.ts'

const model = 'openai:gpt-5.5'
const created = (id: string) => ({ type: 'response.created', response: { id, output: [] } })
const delta = { type: 'response.output_text.delta', item_id: 'm', delta: 'Hi', future: 1 }

function start(isStored = false): ResponseStream {
  const options = { requestId: 'r', created: 1, now: () => 2_000, request: {}, isStored }
  return new ResponseStream({ ...options, names: new ToolNames() })
}

function pass(stream: ResponseStream, ...events: object[]): string {
  return stream.deltas({ model, choices: [], events: events.map((event) => JSON.stringify(event)) })
}

function read(text: string): Record<string, unknown>[] {
  const lines = text.split('\n').filter((line) => line.startsWith('data: '))
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as Record<string, unknown>)
}

function end(stream: ResponseStream): string {
  const completed = { type: 'response.completed', response: { id: 'resp_up', output: [] } }
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const last = pass(stream, completed)
  return last + stream.end({ model, usage, finishReasons: new Map([[0, 'stop']]), meta: {} })
}

test('after a keep-alive the provider’s response keeps the id that was sent, and events their order', () => {
  const stream = start()

  const text = stream.keepAlive() + pass(stream, created('resp_up'), delta) + end(stream)

  const events = read(text)
  expect(events.map(({ type }) => type)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_text.delta',
    'response.completed',
  ])
  expect(events.map(({ sequence_number: number }) => number)).toEqual([0, 1, 2, 3])
  expect(events.at(-1)).toMatchObject({ response: { id: 'resp_r', model } })
})

test('a keep-alive between the provider’s events repeats the provider’s response', () => {
  const stream = start()

  const before = pass(stream, { ...created('resp_up'), sequence_number: 0 })
  const between = read(stream.keepAlive())
  const after = pass(stream, { ...delta, sequence_number: 1 })

  expect(read(before)).toMatchObject([{ response: { id: 'resp_up', model } }])
  expect(between).toMatchObject([
    { type: 'response.in_progress', sequence_number: 1, response: { id: 'resp_up', output: [] } },
  ])
  expect(read(after)).toEqual([{ ...delta, sequence_number: 2 }])
})

test('a response that the provider stores keeps its id: a comment keeps the connection before it', () => {
  const stream = start(true)

  expect(stream.keepAlive()).toBe(': keep-alive\n\n')
  expect(read(pass(stream, created('resp_up')))).toMatchObject([{ response: { id: 'resp_up' } }])
})

test.each([
  ['no_capable_model', 'invalid_prompt'],
  ['context_length_exceeded', 'context_length_exceeded'],
  ['budget_exceeded', 'insufficient_quota'],
  ['overloaded', 'server_is_overloaded'],
  ['all_models_unavailable', 'server_error'],
] as const)('in a stream, %s is a failure with the code %s', (code, shown) => {
  const events = read(start().error(new ServiceError(code, 'Words.')))

  expect(events.map(({ type }) => type)).toEqual([
    'response.created',
    'response.in_progress',
    'response.failed',
  ])
  expect(events[2]).toMatchObject({
    response: { status: 'failed', error: { code: shown, message: `Words. [${code}]` } },
  })
})
