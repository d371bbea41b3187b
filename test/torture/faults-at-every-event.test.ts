/** A model that fails at each event of its stream: the caller gets text of one model only, and the ledger one row. */
import { expect, test } from 'vitest'
import { row } from '../../bench/row.ts'
import { streamed, works } from '../attempts/failing-models.ts'
import type { FakeModel } from '../fake-provider.ts'
import { startTestService } from '../test-service.ts'
import { amount, expectMeasured, tortureTimeoutMs } from './amounts.ts'

/** Letters, so that a repeated or missing delta changes the text. */
const text = 'abcdefgh'
const healthy: FakeModel = { text, chunks: text.length }
/** The role, the letters, the finish, the usage. */
const events = text.length + 3
const kinds = ['reset', 'truncate', 'error-event'] as const
const faults = kinds.flatMap((kind) =>
  Array.from({ length: events }, (_, afterEvents) => ({ kind, afterEvents })),
)
const rounds = amount({ quick: 1, full: 31 })

interface Chunk {
  model?: string
  choices?: { delta: { content?: string }; finish_reason: string | null }[]
  error?: object
}

function readChunks(body: string): Chunk[] {
  const data = body.split('\n\n').filter((event) => event.startsWith('data: {'))
  return data.map((event) => JSON.parse(event.slice('data: '.length)) as Chunk)
}

/** @returns what is wrong with a streamed answer; null if nothing is */
function problemOf(body: string): string | null {
  const chunks = readChunks(body)
  const received = chunks.map(({ choices }) => choices?.[0]?.delta.content ?? '').join('')
  const models = new Set(chunks.flatMap(({ model }) => model ?? []))
  const hasError = chunks.some(({ error }) => error !== undefined)
  const isFinished = chunks.some(({ choices }) => choices?.[0]?.finish_reason === 'stop')
  const [source, whole] =
    received === works.text ? ['fake:second', works.text] : ['fake:first', text]
  if (!whole.startsWith(received)) return `mixed or repeated text: ${received}`
  if (models.size !== 1 || !models.has(source)) return `text of ${source} as ${[...models].join()}`
  if (isFinished === hasError) return 'neither finished nor failed, or both'
  if (isFinished && received !== whole) return `finished after ${received}`
  return body.endsWith('data: [DONE]\n\n') ? null : 'no end'
}

test(
  'a fault at each event of a stream gives the beginning of one answer, and one row each',
  { timeout: tortureTimeoutMs },
  async () => {
    const { post, fake, ledger } = await startTestService({
      models: { first: healthy, second: works },
      router: { tier: 'enterprise' },
    })
    const ask = async () => await (await post('chat/completions', streamed)).text()
    const wrong: string[] = []
    let asked = 0
    let fellOver = 0
    for (let round = 0; round < rounds; round += 1) {
      for (const fault of faults) {
        fake.setModel('first', { ...healthy, fault })
        const body = await ask()
        asked += 1
        if (body.includes('fake:second')) fellOver += 1
        const problem = problemOf(body)
        if (problem !== null) wrong.push(`${fault.kind} after ${fault.afterEvents}: ${problem}`)
        // A whole answer in between, so that no breaker hides the next fault.
        fake.setModel('first', healthy)
        expect(problemOf(await ask())).toBeNull()
      }
    }
    const rows = await ledger(Math.min(1_000, 2 * asked))
    expect(wrong.slice(0, 5)).toEqual([])
    expectMeasured([
      row('faults', [asked, ''], { target: { atLeast: rounds * faults.length } }),
      row('of these answered by the next model', [fellOver, ''], {
        target: { atLeast: rounds * kinds.length },
      }),
      row('with repeated, mixed or wrongly ended text', [wrong.length, ''], {
        target: { atMost: 0 },
      }),
      row('newest rows with distinct ids', [new Set(rows.map(({ id }) => id)).size, ''], {
        target: { atLeast: Math.min(1_000, 2 * asked) },
      }),
      row('upstream requests', [fake.requestCount(), ''], {
        target: { atMost: 2 * asked + fellOver },
      }),
    ])
  },
)
