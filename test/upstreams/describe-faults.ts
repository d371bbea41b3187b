/**
 * Streams of every wire that break at each of their events, through the service's fall-over and real sockets: the
 * caller gets all of one answer, or the beginning of one answer and an error.
 */
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { CollectedChoices } from '../../src/service/chat/answer/collect.ts'
import { newToolCallId, ToolCallNormalizer } from '../../src/service/chat/answer/tool-calls.ts'
import { StreamBroken } from '../../src/service/chat/attempts/attempts.ts'
import type { ProviderChunk } from '../../src/service/providers/provider.ts'
import { seeded } from '../agents/random.ts'
import { askedStreamed, joined } from './ask-in-turn.ts'
import { answerOf, type AnswerMeaning, type WireHarness } from './harness.ts'
import { randomAnswer } from './random-conversation.ts'
import { createAdapter, readingOf, readingOfMeaning, type StartedWire } from './read-answer.ts'
import { inPieces, startWireServer, type StreamBreak } from './wire-server.ts'

/** Each event of each stream breaks several times; MODELPORT_FAULT_RUNS=1000 is the long form. */
const runs = Number(process.env['MODELPORT_FAULT_RUNS'] ?? 200)

export function describeFaults(harness: WireHarness, wire: StartedWire): void {
  test(`${runs} broken streams repeat, lose and mix nothing`, async () => {
    const server = await startWireServer(harness.format)
    const other = { server, provider: createAdapter(harness, server.origin), model: wire.model }
    const outcomes: Outcome[] = []
    for (let run = 0; run < runs; run += 1) {
      outcomes.push(await runOnce(run, harness, [wire, other]))
    }
    await other.provider.close()
    await server.close()

    const runsWith = (wanted: Outcome) =>
      outcomes.flatMap((outcome, run) => (outcome === wanted ? [run] : []))
    expect(runsWith('wrong')).toEqual([])
    expect(runsWith('next').length).toBeGreaterThan(runs / 10)
    expect(runsWith('broken').length).toBeGreaterThan(runs / 10)
  })

  const errors = harness.streamErrors.map(({ name, event }) => [name, { insert: event }] as const)
  const breaks: readonly (readonly [string, StreamBreak['how']])[] = [
    ['an early end', 'truncate'],
    ...errors,
  ]
  test.each(breaks)('each piece of text that was sent before %s arrives', async (_name, how) => {
    const texts = Array.from({ length: 8 }, (_, index) => `piece${index} `)
    const answer = answerOf({ texts })
    const arrived: number[] = []
    for (let afterEvents = 0; arrived.at(-1) !== texts.length; afterEvents += 1) {
      wire.server.script({ answer, break: { afterEvents, how } })
      const { chunks } = await askedStreamed([wire])
      const { text } = partOf(chunks)
      const count = text.split(' ').length - 1
      expect(text).toBe(texts.slice(0, count).join(''))
      arrived.push(count)
    }

    // Some events come before the text; from then on each event adds one piece.
    expect(arrived.filter((count) => count > 0)).toEqual(texts.map((_, index) => index + 1))
  })
}

async function runOnce(
  run: number,
  harness: WireHarness,
  [first, second]: readonly [StartedWire, StartedWire],
): Promise<Outcome> {
  const chance = seeded(run)
  const [answer, otherAnswer] = [randomAnswer(chance), randomAnswer(chance)]
  const [error] = harness.streamErrors
  const insert = error ? [{ insert: error.event }] : []
  const how = chance.pick<StreamBreak['how']>(['truncate', 'reset', ...insert])
  // Some events arrive alone, some together and some in pieces.
  const size = 20 + chance.below(500)
  first.server.script((request) => {
    const { events } = harness.format.stream(answer, request)
    const cut = (bytes: Buffer) => inPieces(bytes, size)
    return { answer, cut, break: { afterEvents: run % events.length, how } }
  })
  second.server.script({ answer: otherAnswer })

  const { chunks, models, error: failure } = await askedStreamed([first, second])

  if (models.has('p:1')) {
    const isWhole = isDeepStrictEqual(
      readingOf(joined(chunks)),
      readingOfMeaning(otherAnswer, harness),
    )
    return isWhole && models.size === 1 && failure === null ? 'next' : 'wrong'
  }
  const isRight = isBeginning(partOf(chunks), answer)
  if (!isRight || !(failure === null || failure instanceof StreamBroken)) return 'wrong'
  return failure === null ? 'whole' : 'broken'
}

type Outcome = 'whole' | 'next' | 'broken' | 'wrong'

/** What has arrived of an answer that may be broken. */
function partOf(
  chunks: readonly ProviderChunk[],
): Pick<AnswerMeaning, 'toolCalls'> & { text: string; reasoning: string } {
  const collected = new CollectedChoices()
  collected.add(new ToolCallNormalizer(newToolCallId).normalize(joined(chunks).choices))
  const [choice] = collected.whole()
  const { content, reasoning, reasoning_content, tool_calls = [] } = choice?.message ?? {}
  return {
    text: typeof content === 'string' ? content : '',
    reasoning: reasoning_content ?? reasoning ?? '',
    toolCalls: tool_calls.map(({ id, function: called }) => ({
      id,
      name: called?.name ?? '',
      arguments: called?.arguments ?? '',
    })),
  }
}

function isBeginning(part: ReturnType<typeof partOf>, answer: AnswerMeaning): boolean {
  const { text, reasoning, toolCalls } = part
  if (!answer.texts.join('').startsWith(text)) return false
  if (!answer.reasoning.join('').startsWith(reasoning)) return false
  return toolCalls.every((call, index) => {
    const whole = answer.toolCalls[index]
    if (whole?.id !== call.id || whole.name !== call.name) return false
    const isLast = index === toolCalls.length - 1
    return isLast ? whole.arguments.startsWith(call.arguments) : whole.arguments === call.arguments
  })
}
