/** Random conversations through every wire: nothing that it carries is lost, in either direction. */
import { expect, test } from 'vitest'
import type { ChatRequest } from '../../src/shared/chat/chat.ts'
import type { Adjustment } from '../../src/shared/models/model-abilities.ts'
import { seeded } from '../agents/random.ts'
import { randomSeeds } from '../torture/amounts.ts'
import type { Feature } from './features.ts'
import type { AnswerMeaning, RecordedRequest, WireHarness } from './harness.ts'
import { randomAnswer, randomRequest } from './random-conversation.ts'
import { readStreamed, readWhole, readingOfMeaning, type StartedWire } from './read-answer.ts'
import { meaningOf, type RequestMeaning } from './request-meaning.ts'

const seeds = randomSeeds({ quick: 150, full: 2_000 })
/** Requests at once, so that the test does not wait for one round trip after another. */
const atOnce = 8

/** The meanings that a parameter stands for, which are not compared once the wire reports it. */
const fieldsOfParameter: Readonly<Record<string, readonly (keyof RequestMeaning)[]>> = {
  max_tokens: ['maxTokens'],
  temperature: ['temperature'],
  top_p: ['topP'],
  stop: ['stops'],
  tool_choice: ['toolChoice'],
  parallel_tool_calls: ['parallelToolCalls'],
  response_format: ['format'],
  reasoning_effort: ['effort', 'thinkingTokens'],
  reasoning: ['effort', 'thinkingTokens'],
}

export function describeRoundTrips(harness: WireHarness, wire: StartedWire): void {
  test('random conversations arrive whole, and so do their answers', async () => {
    const trips = seeds.map((seed, index) => tripOf({ seed, mark: `#${index}#` }, harness))
    const sent = new Map<string, RecordedRequest>()
    wire.server.problems.length = 0
    wire.server.script((request) => {
      const mark = markOf(request)
      sent.set(mark, request)
      const trip = trips[Number(mark)]
      if (trip === undefined) throw new Error(`conversation ${mark} is unknown`)
      return { answer: trip.answer }
    })

    let next = 0
    const lane = async () => {
      for (let index = next; index < trips.length; index = next) {
        next += 1
        await check({ trip: trips[index] as Trip, index, sent }, harness, wire)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, lane))

    expect(wire.server.problems).toEqual([])
    expect(sent.size).toBe(seeds.length)
  })
}

interface Trip {
  seed: number
  body: ChatRequest
  answer: AnswerMeaning
}

function tripOf({ seed, mark }: { seed: number; mark: string }, harness: WireHarness): Trip {
  const { differs, reasoning } = harness
  const chance = seeded(seed)
  const carries = (feature: Feature) => differs[feature] === undefined
  const body = randomRequest({ chance, carries, reasoning: reasoning ?? null }, mark)
  return { seed, body, answer: randomAnswer(chance) }
}

/** The number that `randomRequest` puts at the beginning of the first question. */
function markOf({ text }: RecordedRequest): string {
  return /#(\d+)#/.exec(text)?.[1] ?? ''
}

async function check(
  { trip, index, sent }: { trip: Trip; index: number; sent: ReadonlyMap<string, RecordedRequest> },
  harness: WireHarness,
  wire: StartedWire,
): Promise<void> {
  const { seed, body, answer } = trip
  const read = index % 2 === 0 ? readWhole : readStreamed

  const reading = await read(wire, { body })

  expect({ seed, reading }).toEqual({ seed, reading: readingOfMeaning(answer, harness) })
  const request = sent.get(String(index))
  if (request === undefined) throw new Error(`the conversation of seed ${seed} did not arrive`)
  const adjusted = wire.provider.leftOut?.(body, wire.model) ?? []
  const { normalize = (meaning) => meaning, format, reasoning } = harness
  const formats = reasoning === undefined ? [] : [reasoning.format]
  const expected = comparable(normalize(meaningOf(body, wire.model, formats)), adjusted)
  const arrived = normalize(format.read(request))
  expect({ seed, ...arrived }).toMatchObject({ seed, ...expected })
}

/** The meaning without what the request does not say, and without what the wire reports as changed. */
function comparable(
  meaning: RequestMeaning,
  adjusted: readonly Adjustment[],
): Partial<RequestMeaning> {
  const changed = new Set(adjusted.flatMap(({ parameter }) => fieldsOfParameter[parameter] ?? []))
  const kept = Object.entries(meaning).filter(
    ([name, value]) => value !== null && !changed.has(name as keyof RequestMeaning),
  )
  return Object.fromEntries(kept) as Partial<RequestMeaning>
}
