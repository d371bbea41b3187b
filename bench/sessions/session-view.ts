/** Bars 3 and 14: the classes of recorded steps, and a session of 5,000 steps in a database. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { classOfStep } from '../../src/service/chat/sessions/step-class.ts'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import { sessionOf } from '../../src/shared/requests/session.ts'
import { sampleDetail, sampleSessionRequest } from '../../test/storage/samples.ts'
import type { Measurement } from '../measurement.ts'
import type { RecordedStep, SessionSet } from './recorded.ts'

const steps = 5_000
/** The recordings have only the first word of a command, from which its class cannot be read. */
const shells = new Set(['bash', 'taskoutput'])

export function classBars(sets: readonly SessionSet[]): Measurement[] {
  const recorded = sets
    .flatMap(({ sessions }) => sessions.flatMap((session) => session.steps))
    .filter(
      ({ tools }) => tools.length > 0 && !tools.some((name) => shells.has(name.toLowerCase())),
    )
  if (recorded.length === 0) return []
  const right = recorded.filter((step) => classOf(step) === step.class).length
  const what = `bar 3, class of recorded steps without a shell (${recorded.length})`
  return [{ what, unit: '%', measured: (100 * right) / recorded.length, target: { atLeast: 95 } }]
}

function classOf({ tools }: RecordedStep): string {
  return classOfStep(
    tools.map((name) => ({ name, input: '' })),
    null,
  )
}

export async function viewBars(): Promise<Measurement[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'modelport-bench-'))
  const storage = await openStorage({ dataDir })
  try {
    const rows = Array.from({ length: steps }, (_, nth) => {
      const agentId = nth % 5 === 0 ? `agent-${nth % 7}` : null
      return sampleSessionRequest({}, { id: `row-${nth}`, startedAtMs: nth, agentId })
    })
    await Promise.all(rows.map((row) => storage.ledger.append(row, sampleDetail())))
    const startMs = performance.now()
    const session = sessionOf(await storage.ledger.ofSession('session-1'), steps)
    const openMs = performance.now() - startMs
    const parts = Object.values(session?.costs ?? {}).reduce((sum, one) => sum + one, 0)
    const charged = rows.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)
    return [
      {
        what: 'bar 14, a session of 5,000 steps is read',
        unit: 'ms',
        measured: openMs,
        target: { atMost: 300 },
      },
      {
        what: 'bar 14, steps above or below the session’s cost',
        unit: 'nano-USD',
        measured: Math.abs(parts - charged),
        target: { atMost: 0 },
      },
    ]
  } finally {
    await storage.close()
    await rm(dataDir, { recursive: true })
  }
}
