/**
 * `npm run clients -- sessions [NAME…]`: plays a session with a subagent, a compaction, limits, a broken stream and an abort
 * to each coding agent at each vendor, and checks bytes, rows and cost. Fails when something does not hold.
 */
import { findCacheDir } from '../../scripts/setup/paths.mjs'
import { claudeCode } from '../agents/claude-code.ts'
import { codex } from '../agents/codex.ts'
import { openCode } from '../agents/opencode.ts'
import { installClient } from '../install.ts'
import { versionOf } from '../table.ts'
import { checkSession, type SessionFigures } from './check-session.ts'
import { playSession, type SessionPlace } from './play-session.ts'
import { startSessionBed } from './session-bed.ts'

const agents = [claudeCode, codex, openCode]

/** @returns the exit code */
export async function runSessions(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !agents.some(({ id }) => id === name))
  if (unknown.length > 0) {
    const known = agents.map(({ id }) => id).join(', ')
    process.stderr.write(`unknown: ${unknown.join(', ')}; the coding agents are ${known}\n`)
    return 2
  }
  const bed = await startSessionBed()
  let isRight = true
  try {
    for (const agent of agents.filter(({ id }) => names.length === 0 || names.includes(id))) {
      const installed = await installClient(agent, findCacheDir(process.env))
      const [door] = agent.doors
      if (door === undefined) continue
      for (const { vendor, routerId } of bed.vendors) {
        vendor.billed.length = 0
        vendor.refused.length = 0
        vendor.received.length = 0
        const place = { agent, door, bed, vendor, routerId, installed }
        const figures = await checkSession(place, await playSession(place))
        process.stdout.write(describe(place, figures))
        isRight &&= figures.problems.length === 0
      }
    }
  } finally {
    await bed.close()
  }
  return isRight ? 0 : 1
}

function describe({ agent, door, vendor }: SessionPlace, figures: SessionFigures): string {
  const { requests, rows, billedNanoUsd, readShare, problems } = figures
  const line = [
    `${agent.name} ${versionOf(agent)}`,
    `${door} at ${vendor.name}`,
    `${requests} requests, ${rows} rows`,
    `$${(billedNanoUsd / 1e9).toFixed(9)}`,
    `${(100 * readShare).toFixed(1)} % read`,
    problems.length === 0 ? 'right' : 'wrong',
  ].join('  ')
  return `${[line, ...problems.map((problem) => `  ${problem}`)].join('\n')}\n`
}
