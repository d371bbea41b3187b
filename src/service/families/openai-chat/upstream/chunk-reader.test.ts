/** Events read by a template give the same chunks as parsed events. */
import { describe, expect, test } from 'vitest'
import { TextChoice } from '../../../../shared/strings/text-choice.ts'
import { ChunkReader } from './chunk-reader.ts'
import { readChunk } from './answer.ts'
import { appendChunk, type ProviderChunk } from '../../../providers/provider.ts'

const texts = [
  'Hello',
  ' world',
  'a "quoted" word',
  'back\\slash',
  'line\nend\ttab',
  'Grüße, 日本語 🦜',
  '\u2028\u0001',
  '"',
  '\\',
  '","finish_reason":"stop"',
  '"},"finish_reason":null}]}',
  'data: [DONE]',
]

const envelope = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' }
const openAi = (content: string, more: object = {}) =>
  JSON.stringify({
    ...envelope,
    ...more,
    choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
  })

const forms: [string, (content: string) => string][] = [
  ['OpenAI', (content) => openAi(content)],
  ['a null usage', (content) => openAi(content, { usage: null })],
  ['further fields', (content) => openAi(content, { system_fingerprint: 'fp_1' })],
  [
    'the role in every event',
    (content) => JSON.stringify({ choices: [{ delta: { role: 'assistant', content }, index: 0 }] }),
  ],
  [
    'spaces',
    (content) => `{"choices": [{"delta": {"content":"${escaped(content)}"} , "index": 0}]}`,
  ],
  ['a content elsewhere', (content) => openAi(content, { note: { content: 'same' } })],
  ['escaped letters', (content) => openAi(content).replaceAll('H', String.raw`\u0048`)],
  [
    'a random padding',
    (content) => openAi(content, { obfuscation: 'x'.repeat(content.length % 5) }),
  ],
]

function escaped(content: string): string {
  return JSON.stringify(content).slice(1, -1)
}

function readAll(events: readonly string[]): ProviderChunk | null {
  const reader = new ChunkReader()
  return events.reduce<ProviderChunk | null>((chunk, data) => reader.append(chunk, data), null)
}

function parseAll(events: readonly string[]): ProviderChunk | null {
  return events.reduce<ProviderChunk | null>(
    (chunk, data) => appendChunk(chunk, readChunk(JSON.parse(data))),
    null,
  )
}

/** The JSON of choices as sent to a caller. */
function written(chunk: ProviderChunk | null): unknown[] {
  return (chunk?.choices ?? []).map((choice) =>
    JSON.parse(TextChoice.jsonOf(choice) ?? JSON.stringify(choice)),
  )
}

describe.each(forms)('a stream with %s', (_name, form) => {
  const events = texts.map(form)

  test('gives the same chunks as parsing', () => {
    const chunk = readAll(events)
    expect(chunk?.choices.map((choice) => ({ ...choice }))).toEqual(parseAll(events)?.choices)
    expect(chunk?.extras).toEqual(parseAll(events)?.extras)
  })

  test('is written the same as after parsing', () => {
    expect(written(readAll(events))).toEqual(written(parseAll(events)))
  })
})

test('text events after the first are not parsed', () => {
  const chunk = readAll(texts.map((content) => openAi(content)))

  expect(chunk?.choices.map((choice) => TextChoice.jsonOf(choice) === null)).toEqual(
    texts.map((_, position) => position === 0),
  )
})

test.each([
  ['an end', openAi('x').replace('"finish_reason":null', '"finish_reason":"stop"')],
  ['another choice', openAi('x').replace('"index":0', '"index":1')],
  ['a tool call', openAi('x').replace('"content":"x"', '"tool_calls":[{"index":0,"id":"c"}]')],
  ['usage', openAi('x', { usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } })],
  ['an empty text', openAi('')],
])('%s between texts is parsed', (_name, event) => {
  const events = [openAi('a'), event, openAi('b')]
  const [, chunk] = [parseAll(events), readAll(events)]

  expect(chunk?.choices.map((choice) => ({ ...choice }))).toEqual(parseAll(events)?.choices)
  expect(chunk?.usage).toEqual(parseAll(events)?.usage)
})

test.each([
  ['a broken escape', String.raw`\x`],
  ['a raw line end', '\n'],
  ['a second string', '","content":"'],
])('an event with %s in its text is not passed on unread', (_name, text) => {
  const broken = openAi('MARK').replace('MARK', text)
  const parsed = (read: (events: string[]) => unknown) => {
    try {
      return JSON.stringify(read([openAi('a'), broken]))
    } catch (error) {
      return error instanceof SyntaxError ? 'SyntaxError' : 'another error'
    }
  }

  expect(parsed(readAll)).toBe(parsed(parseAll))
})

test('a copy of a choice has no stored JSON, because it may be changed', () => {
  const choice = new TextChoice(0, 'a', '{"index":0,"delta":{"content":"a"},"finish_reason":null}')

  expect(TextChoice.jsonOf(choice)).not.toBeNull()
  expect(TextChoice.jsonOf(Object.assign({}, choice))).toBeNull()
  expect(JSON.stringify(choice)).toBe(TextChoice.jsonOf(choice))
})
