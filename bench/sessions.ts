/**
 * Sessions of coding agents: the bars of reading who asks, of pricing their caches, of changing models and of guarding caches. Recorded sessions
 * are read from the folder in `MODELPORT_SESSION_DATA`, when there is one.
 */
import type { Measurement } from './measurement.ts'
import { changeBars } from './sessions/changes.ts'
import { costBars } from './sessions/cost-estimate.ts'
import { generatedSessions } from './sessions/generated.ts'
import { guardBars } from './sessions/guarding.ts'
import { prefixBars } from './sessions/prefixes.ts'
import { recordedSessions } from './sessions/recorded.ts'
import { classBars, viewBars } from './sessions/session-view.ts'
import { shadowBars } from './sessions/shadow-steps.ts'
import { switchBars } from './sessions/switching.ts'
import { whoAsksBars } from './sessions/who-asks.ts'

const generated = 300

export async function run(): Promise<Measurement[]> {
  const recorded = await recordedSessions(process.env['MODELPORT_SESSION_DATA'])
  const sets = [...recorded, { name: 'generated', sessions: generatedSessions(generated) }]
  return [
    ...(await whoAsksBars()),
    ...classBars(sets),
    ...costBars(sets),
    ...(await prefixBars()),
    ...switchBars(sets),
    ...guardBars(sets),
    ...(await viewBars()),
    ...(await changeBars()),
    ...(await shadowBars()),
  ]
}
