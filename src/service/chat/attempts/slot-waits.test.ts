import { expect, test } from 'vitest'
import { candidate, sampleEstimate } from '../../../../test/routing/sample-candidates.ts'
import { longWaitsLast } from './slot-waits.ts'

interface Given {
  latencyMs: number
  /** Null: no request has to wait. */
  load: number | null
}

/** The order in which the candidates are tried; the names are those of the given ones. */
function order(given: Readonly<Record<string, Given>>, fixed = 0): string[] {
  const ranked = Object.entries(given).map(([name, { latencyMs }]) => ({
    model: `p:${name}`,
    position: 0,
    estimate: sampleEstimate({ latencyMs }),
    candidate: candidate({ modelId: `p:${name}` }),
  }))
  const nameOf = (modelId: string) => modelId.slice(2)
  const candidates = ranked.map((one) => one.candidate)
  const loadOf = ({ modelId }: { modelId: string }) => given[nameOf(modelId)]?.load ?? null
  const ordered = longWaitsLast(candidates, { ranked, loadOf, fixed })
  return ordered.map(({ modelId }) => nameOf(modelId))
}

// With a load of 1 the estimate of 20 s is a wait of 10 s and an answer of 10 s.
test.each<[string, Record<string, Given>, string[]]>([
  [
    'a wait longer than another model’s answer is not taken',
    { local: { latencyMs: 20_000, load: 1 }, cloud: { latencyMs: 3_000, load: null } },
    ['cloud', 'local'],
  ],
  [
    'a shorter wait is taken',
    { local: { latencyMs: 4_000, load: 1 }, cloud: { latencyMs: 3_000, load: null } },
    ['local', 'cloud'],
  ],
  [
    'a server with a free slot keeps its place, however slow it is',
    { local: { latencyMs: 90_000, load: 0.5 }, cloud: { latencyMs: 3_000, load: null } },
    ['local', 'cloud'],
  ],
  [
    'models that all have to wait keep their order',
    { local: { latencyMs: 20_000, load: 3 }, other: { latencyMs: 3_000, load: 1 } },
    ['local', 'other'],
  ],
  [
    'the others keep their order',
    {
      local: { latencyMs: 20_000, load: 1 },
      slow: { latencyMs: 30_000, load: null },
      cloud: { latencyMs: 3_000, load: null },
    },
    ['slow', 'cloud', 'local'],
  ],
])('%s', (_name, given, expected) => {
  expect(order(given)).toEqual(expected)
})

test('the model that a conversation stays with keeps its place', () => {
  const given = {
    local: { latencyMs: 20_000, load: 1 },
    cloud: { latencyMs: 3_000, load: null },
  }
  expect(order(given, 1)).toEqual(['local', 'cloud'])
})
