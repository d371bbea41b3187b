/** Figure 5: the same request always gets the same decision, and a replay reproduces the recorded ones. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { replayRow } from '../../src/service/routing/replay.ts'
import { sampleDetail, sampleRecord } from '../../test/storage/samples.ts'
import type { Measurement } from '../measurement.ts'
import { decisionsDigest } from './decisions-digest.ts'
import { madeUpDecisions, type MadeUpDecision } from './made-up-requests.ts'

const requests = 10_000
const seed = 17
const digestProcess = fileURLToPath(new URL('digest-process.ts', import.meta.url))

export function measureSteadiness(): Measurement[] {
  const decisions = madeUpDecisions(requests, seed)
  const digest = decisionsDigest(decisions)
  const again = decisionsDigest(madeUpDecisions(requests, seed))
  const elsewhere = execFileSync(process.execPath, [digestProcess, `${requests}`, `${seed}`])
  const isSame = (other: string) => (other === digest ? requests : 0)
  return [
    ...replayed(decisions),
    {
      what: 'made-up requests decided on alike twice',
      unit: '',
      measured: isSame(again),
      target: { atLeast: requests },
    },
    {
      what: 'made-up requests decided on alike in another process',
      unit: '',
      measured: isSame(elsewhere.toString()),
      target: { atLeast: requests },
    },
  ]
}

/** Replays each record, read back from its text, with the rule that produced it. */
function replayed(decisions: readonly MadeUpDecision[]): Measurement[] {
  let told = 0
  let same = 0
  let actualUsd = 0
  let expectedUsd = 0
  for (const { record, modelUsed } of decisions) {
    // JSON.stringify wrote it from this type.
    const decision = JSON.parse(JSON.stringify(record)) as typeof record
    const used = decision.ranked.find(({ model }) => model === modelUsed)
    const { parameters, strategy } = decision
    if (parameters === null || strategy === 'pinned') continue
    const costNanoUsd = used?.estimate.costNanoUsd ?? 0
    const row = {
      record: sampleRecord({ modelUsed, costNanoUsd }),
      detail: sampleDetail({ decision }),
    }
    const replay = replayRow(row, { strategy, parameters })
    if (typeof replay === 'string') continue
    told += 1
    if (replay.chosen === replay.used) same += 1
    actualUsd += replay.actual.costUsd
    expectedUsd += replay.expected.costUsd
  }
  return [
    { what: 'made-up requests that can be replayed', unit: '', measured: told, target: null },
    {
      what: 'replayed under the strategy in force: same model',
      unit: '%',
      measured: (100 * same) / told,
      target: { atLeast: 99.9 },
    },
    {
      what: 'replayed under the strategy in force: cost off by',
      unit: '%',
      measured: 100 * Math.abs(expectedUsd / actualUsd - 1),
      target: { atMost: 1 },
    },
  ]
}
