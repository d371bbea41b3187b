/** Answers of every wire: whole and streamed, read by the adapter and by the official SDK, cut anywhere. */
import { describe, expect, test } from 'vitest'
import { isTorture } from '../torture/amounts.ts'
import { seed } from '../torture/share.ts'
import {
  answerOf,
  defaultUsage,
  type AnswerMeaning,
  type UsageMeaning,
  type WireHarness,
} from './harness.ts'
import {
  readingOfMeaning,
  readStreamed,
  readWhole,
  reportedUsage,
  testKey,
  type StartedWire,
} from './read-answer.ts'
import { inPieces } from './wire-server.ts'

const weather = (id: string, city: string) =>
  ({ id, name: 'weather', arguments: JSON.stringify({ city }) }) as const
const everything = answerOf({
  texts: ['Grüße, ', '日本語 🦜\n', '"quoted" \\ '],
  reasoning: ['Let me ', 'think…'],
  toolCalls: [weather('call_1', 'Zürich'), weather('call_2', 'Rome')],
})

const answers: readonly (readonly [string, AnswerMeaning])[] = [
  ['a text', answerOf({ texts: ['Hello', ' world'] })],
  ['other scripts', answerOf({ texts: ['Grüße, ', '日本語 🦜', '\u2028 "x" \\n'] })],
  ['a tool call', answerOf({ toolCalls: [weather('call_1', 'Paris')] })],
  [
    'a tool without arguments',
    answerOf({ toolCalls: [{ id: 'c', name: 'now', arguments: '{}' }] }),
  ],
  [
    'parallel tool calls after a text',
    answerOf({
      texts: ['I will look.'],
      toolCalls: [weather('c1', 'Paris'), weather('c2', 'Rome')],
    }),
  ],
  ['reasoning before a text', answerOf({ reasoning: ['Let me', ' think.'], texts: ['42'] })],
  ['everything at once', everything],
]

const usages: readonly (readonly [string, UsageMeaning])[] = [
  ['plain counts', defaultUsage],
  ['cached tokens', { ...defaultUsage, cachedTokens: 100 }],
  ['tokens written to the cache', { ...defaultUsage, cachedTokens: 30, cacheWriteTokens: 60 }],
  ['reasoning tokens', { ...defaultUsage, completionTokens: 500, reasoningTokens: 450 }],
]

export function describeAnswers(harness: WireHarness, wire: StartedWire): void {
  describe.each([
    ['whole', readWhole],
    ['streamed', readStreamed],
  ] as const)('%s', (_name, read) => {
    test.each(answers)('reads %s', async (_what, answer) => {
      wire.server.script({ answer })

      expect(await read(wire)).toEqual(readingOfMeaning(answer, harness))
    })

    test.each(usages)('reads %s', async (_what, usage) => {
      wire.server.script({ answer: answerOf({ texts: ['Hi'], usage }) })

      expect((await read(wire)).usage).toEqual(reportedUsage(usage, harness))
    })

    test.each(harness.stops)('the stop reason %s is %s', async (stop, inner) => {
      wire.server.script({ answer: answerOf({ texts: ['Hi'], stop }) })

      expect((await read(wire)).finishReason).toBe(inner)
    })
  })

  test.each(answers)('the official SDK reads %s', async (_what, answer) => {
    wire.server.script({ answer })
    const url = `${wire.server.origin}${harness.basePath}`
    const expected = {
      text: answer.texts.join(''),
      toolCalls: answer.toolCalls.map(({ name, arguments: text }) => ({
        name,
        input: JSON.parse(text) as unknown,
      })),
    }

    expect(await harness.sdk.whole(url)).toEqual(expected)
    expect(await harness.sdk.streamed(url)).toEqual(expected)
  })

  describeCuts(harness, wire)

  test('lists the models of every page, sorted', async () => {
    const names = ['zeta', 'alpha', 'org/model:beta', 'mu', 'nu', 'xi', 'pi']
    wire.server.models = names

    const listed = await wire.provider.listModels(new AbortController().signal)

    expect(listed).toEqual(names.toSorted())
  })
}

/** The quick form cuts at every eleventh byte. */
const stepBytes = isTorture ? 1 : 11

/** Answers at the same time, so that the test does not wait for one round trip after another. */
const requestsAtOnce = 16

function describeCuts(harness: WireHarness, wire: StartedWire): void {
  const expected = readingOfMeaning(everything, harness)

  test('gives the same answer wherever the bytes of its stream are cut', async () => {
    const { server } = wire
    const positions = { next: 1 + (seed % stepBytes), end: Infinity }
    server.script(() => {
      const at = positions.next
      positions.next += stepBytes
      return {
        answer: everything,
        cut: (bytes) => {
          positions.end = bytes.length
          return [bytes.subarray(0, at), bytes.subarray(at)]
        },
      }
    })
    const readAll = async () => {
      while (positions.next < positions.end) {
        expect(await readStreamed(wire)).toEqual(expected)
      }
    }

    await Promise.all(Array.from({ length: requestsAtOnce }, readAll))

    expect(positions.next).toBeGreaterThanOrEqual(positions.end)
  })

  test.each([1, 7, 64, 1024])('gives the same answer in pieces of %i bytes', async (size) => {
    const cut = (bytes: Buffer) => inPieces(bytes, size)
    wire.server.script({ answer: everything, cut })

    expect(await readStreamed(wire)).toEqual(expected)
  })

  test('a long text streams whole', async () => {
    const texts = Array.from({ length: 2_000 }, (_, index) => `word${index} `)
    wire.server.script({ answer: answerOf({ texts }) })

    expect((await readStreamed(wire)).text).toBe(texts.join(''))
  })

  test('sends the key in every request and only in the headers', async () => {
    const { server } = wire
    server.script({ answer: answerOf({ texts: ['Hi'] }) })
    server.requests.length = 0
    await readStreamed(wire)

    const [request] = server.requests

    expect(request?.path).not.toContain(testKey)
    expect(request?.text).not.toContain(testKey)
  })
}
