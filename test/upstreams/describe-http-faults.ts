/**
 * Every wire against servers that break HTTP before any output, over real sockets and through the service's
 * fall-over: the caller gets the next model's answer, once.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askedStreamed, askedWhole, joined } from './ask-in-turn.ts'
import { describeEndlessAnswers } from './describe-endless-answers.ts'
import { answerOf, type WireHarness } from './harness.ts'
import { httpFaults, writeGood } from './http-faults.ts'
import {
  createAdapter,
  readingOf,
  readingOfMeaning,
  readWhole,
  type StartedWire,
} from './read-answer.ts'
import { startWireServer } from './wire-server.ts'

const ofFirst = answerOf({ texts: ['Of the ', 'first'] })
const ofSecond = answerOf({
  texts: ['Of the ', 'second'],
  toolCalls: [{ id: 'call_2', name: 'weather', arguments: '{"city":"Rome"}' }],
})

export function describeHttpFaults(harness: WireHarness, wire: StartedWire): void {
  const second = {} as StartedWire
  beforeAll(async () => {
    const server = await startWireServer(harness.format)
    Object.assign(second, { server, provider: createAdapter(harness, server.origin) })
    second.model = wire.model
    server.script({ answer: ofSecond })
    // Some wires load packages at their first request, which would count for a time limit.
    wire.server.script({ answer: ofFirst })
    await readWhole(wire)
    await readWhole(second)
  })
  afterAll(async () => {
    await second.provider.close()
    await second.server.close()
  })

  if (harness.hasOwnReader === true) describeEndlessAnswers(harness, [wire, second])

  describe.each([
    ['a stream', askedStreamed],
    ['a whole answer', askedWhole],
  ])('%s', (_form, ask) => {
    test.each(httpFaults.map((fault) => [fault.name, fault.kind, fault] as const))(
      'of a server that %s is %s, and the next model answers',
      async (_name, kind, { send, limits }) => {
        wire.server.requests.length = 0
        second.server.requests.length = 0
        wire.server.script({ answer: ofFirst, raw: send })
        second.server.script({ answer: ofSecond })

        const { chunks, models, failures, error } = await ask([wire, second], limits)

        expect(failures).toMatchObject([{ name: 'ProviderError', kind }])
        expect(error).toBeNull()
        expect([...models]).toEqual(['p:1'])
        expect(readingOf(joined(chunks))).toEqual(readingOfMeaning(ofSecond, harness))
        expect(wire.server.requests).toHaveLength(1)
        expect(second.server.requests).toHaveLength(1)
        await wire.server.requests[0]?.aborted
      },
    )

    test.each([
      ['with it', (forge: () => void) => forge()],
      ['after it', (forge: () => void) => void setTimeout(forge, 20)],
    ])('a forged answer that comes %s reaches no request', async (_when, send) => {
      for (let request = 0; request < 2; request += 1) {
        const refused = new Promise((resolve) => {
          wire.server.script({
            answer: ofFirst,
            raw: (socket, answer) => {
              socket.once('close', resolve)
              writeGood(socket, answer)
              send(() => writeGood(socket, { ...answer, body: Buffer.from('{"forged":1}') }))
            },
          })
        })

        const { chunks, failures } = await ask([wire, second])

        expect(failures).toEqual([])
        expect(readingOf(joined(chunks))).toEqual(readingOfMeaning(ofFirst, harness))
        await refused
      }
    })
  })
}
