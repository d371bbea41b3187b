/**
 * Sessions of coding agents: the bars of reading who asks, of pricing their caches and of guarding them. Recorded sessions
 * are read from the folder in `MODELPORT_SESSION_DATA`, when there is one.
 */
import type { Measurement } from './measurement.ts'
import { costBars } from './sessions/cost-estimate.ts'
import { generatedSessions } from './sessions/generated.ts'
import { recordedSessions } from './sessions/recorded.ts'
import { whoAsksBars } from './sessions/who-asks.ts'

const generated = 300

export async function run(): Promise<Measurement[]> {
  const recorded = await recordedSessions(process.env['MODELPORT_SESSION_DATA'])
  return [
    ...(await whoAsksBars()),
    ...costBars([...recorded, { name: 'generated', sessions: generatedSessions(generated) }]),
  ]
}
