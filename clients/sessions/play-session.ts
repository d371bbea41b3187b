/** Drives an agent through the recorded session at one vendor. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { AgentClient, Job } from '../agent-client.ts'
import type { Door } from '../check.ts'
import { startCommand, type Running } from '../command.ts'
import { eventually } from '../test-bed.ts'
import { endText, files, muchText, noteText, Play, turnPrompt, turns, type Turn } from './moves.ts'
import type { SessionBed } from './session-bed.ts'
import type { Exchange } from './relay.ts'
import type { Vendor } from './vendors.ts'

export interface SessionPlace {
  agent: AgentClient
  door: Door
  bed: SessionBed
  vendor: Vendor
  routerId: string
  installed: string
}

export interface PlayedSession {
  exchanges: readonly Exchange[]
  /** What the client did not do. */
  problems: string[]
}

const turnLimitMs = 120_000
const shownCharacters = 1_500
/** Shorter than three long files, and longer than what an agent says of itself. */
const compactsAtTokens: Readonly<Record<string, number>> = { codex: 16_000, opencode: 60_000 }

export async function playSession(place: SessionPlace): Promise<PlayedSession> {
  const { agent, vendor, bed, door } = place
  const scratch = join(bed.folder, `${agent.id}-${door}-${vendor.name}`)
  const folder = join(scratch, 'work')
  const home = join(scratch, 'home')
  await mkdir(folder, { recursive: true })
  await mkdir(home)
  await writeFile(join(folder, files.note), noteText)
  await writeFile(join(folder, files.much), muchText)
  const play = new Play(folder)
  vendor.play = play
  const seen = bed.relay.exchanges.length
  const problems: string[] = []
  for (const turn of turns) {
    if (turn.isCompaction && agent.compactCommand === undefined) continue
    play.begin(turn)
    const problem = await playTurn(place, { turn, folder, home, play })
    if (problem !== null) problems.push(`part ${turn.name}: ${problem}`)
    if (play.left.length > 0) problems.push(`part ${turn.name}: not asked for ${play.left.join()}`)
  }
  vendor.play = null
  return { exchanges: bed.relay.exchanges.slice(seen), problems }
}

interface TurnPlace extends Pick<Job, 'folder' | 'home'> {
  turn: Turn
  play: Play
}

/** @returns what the client did not do; null for nothing */
async function playTurn(
  place: SessionPlace,
  { turn, folder, home, play }: TurnPlace,
): Promise<string | null> {
  const { agent, bed, door, routerId, installed } = place
  const limit = compactsAtTokens[agent.id]
  const job: Job = {
    door,
    routerUrl: `${bed.relay.origin}/api/router/${routerId}`,
    apiKey: bed.key,
    model: 'auto',
    prompt: turn.isCompaction ? (agent.compactCommand ?? '') : turnPrompt(turn, folder),
    folder,
    home,
    isContinued: turn !== turns[0],
    ...(limit !== undefined && { compactsAtTokens: limit }),
  }
  const command = await agent.prepare(job, { installed, bed })
  const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: home, ...command.env }
  const running = startCommand({ ...command, env }, turnLimitMs)
  if (turn.isAborted) await interrupt(running, play)
  const exitCode = await running.ended
  const printed = running.printed().slice(-shownCharacters)
  if (turn.isAborted) return null
  if (exitCode !== 0) return `exit code ${String(exitCode)}: ${printed}`
  const isDone = turn.isCompaction === true || printed.includes(endText)
  return isDone ? null : `the last answer is missing: ${printed}`
}

async function interrupt(running: Running, play: Play): Promise<void> {
  const silent = eventually(async () => play.left.length === 0, turnLimitMs)
  await Promise.race([silent, running.ended])
  // The first events are on their way to the client.
  await pause(500)
  running.interrupt()
}
