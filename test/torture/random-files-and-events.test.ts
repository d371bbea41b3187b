/** Broken files to import, and broken event streams of an upstream. */
import { expect, test } from 'vitest'
import { row } from '../../bench/row.ts'
import { EventReader } from '../../src/service/providers/sse.ts'
import { ProviderError } from '../../src/service/providers/provider.ts'
import { ChunkReader } from '../../src/service/families/openai-chat/upstream/chunk-reader.ts'
import { DashboardError } from '../../src/service/service.ts'
import { seeded, type Chance } from '../agents/random.ts'
import { good } from '../command-line/hostile-imports.ts'
import { startTestService } from '../test-service.ts'
import { expectMeasured, randomSeeds, tortureTimeoutMs } from './amounts.ts'
import { breakBytes, breakValue } from './broken-json.ts'

const seeds = randomSeeds({ quick: 500, full: 20_000 })
const longestMs = 1_000

interface Outcome {
  accepted: number
  refused: number
  slowestMs: number
  bugs: unknown[]
}

/** Runs each case; an error that is not an expected one is a bug. */
async function runAll(
  attempt: (chance: Chance) => unknown,
  isExpected: (error: unknown) => boolean,
): Promise<Outcome> {
  const outcome: Outcome = { accepted: 0, refused: 0, slowestMs: 0, bugs: [] }
  const tookMs = async (seed: number): Promise<number> => {
    const startedAt = performance.now()
    try {
      await attempt(seeded(seed))
      outcome.accepted += 1
    } catch (error) {
      if (isExpected(error)) outcome.refused += 1
      else outcome.bugs.push({ seed, error })
    }
    return performance.now() - startedAt
  }
  for (const seed of seeds) {
    const firstMs = await tookMs(seed)
    // A busy computer makes a case slow once; one that takes long does so again.
    const leastMs = firstMs > longestMs ? Math.min(firstMs, await tookMs(seed)) : firstMs
    outcome.slowestMs = Math.max(outcome.slowestMs, leastMs)
  }
  return outcome
}

function rowsOf(what: string, { refused, slowestMs, bugs }: Outcome) {
  return [
    row(what, [seeds.length, ''], { target: { atLeast: seeds.length } }),
    row('of these refused', [refused, ''], { target: { atLeast: 1 } }),
    row('unexpected errors', [bugs.length, ''], { target: { atMost: 0 } }),
    row('slowest', [slowestMs, 'ms'], { target: { atMost: longestMs } }),
  ]
}

test(
  'broken files to import are refused with a message, and a plan changes nothing',
  { timeout: tortureTimeoutMs },
  async () => {
    const { service } = await startTestService()
    const { dashboard } = service
    const before = await dashboard.exportConfiguration()

    const outcome = await runAll(
      async (chance) => {
        const text = Buffer.from(JSON.stringify(breakValue(chance, good)))
        const bytes = chance.isTrue(0.3) ? breakBytes(chance, text) : text
        await dashboard.planImport(bytes.toString(), { replaces: chance.isTrue(0.5) })
      },
      (error) => error instanceof DashboardError,
    )

    expect(outcome.bugs.slice(0, 3)).toEqual([])
    expect(await dashboard.exportConfiguration()).toEqual(before)
    expectMeasured(rowsOf('broken files to import', outcome))
  },
)

const chunk = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta: { role: 'assistant', content: 'Grüße 🦜' }, finish_reason: null }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}
const toolChunk = {
  choices: [
    {
      index: 0,
      delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{"a":' } }] },
      finish_reason: 'tool_calls',
    },
  ],
}

test(
  'broken event streams give chunks or a provider error',
  { timeout: tortureTimeoutMs },
  async () => {
    const outcome = await runAll(
      (chance) => {
        const lineEnd = chance.pick(['\n', '\r\n', '\r'])
        const events = Array.from({ length: 1 + chance.below(8) }, () =>
          JSON.stringify(
            chance.isTrue(0.5)
              ? chunk
              : breakValue(chance, chance.pick<object>([chunk, toolChunk])),
          ),
        )
        const text = [...events, '[DONE]']
          .map((data) => `data: ${data}${lineEnd}${lineEnd}`)
          .join('')
        const bytes = chance.isTrue(0.4) ? breakBytes(chance, Buffer.from(text)) : Buffer.from(text)
        const cut = chance.below(bytes.length + 1)
        const reader = new EventReader()
        const chunks = new ChunkReader()
        for (const part of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
          for (const data of reader.push(part)) {
            if (!chunks.isEnd(data)) chunks.append(null, data)
          }
        }
      },
      (error) => error instanceof ProviderError || error instanceof SyntaxError,
    )

    expect(outcome.bugs.slice(0, 3)).toEqual([])
    expectMeasured(rowsOf('broken event streams', outcome))
  },
)
