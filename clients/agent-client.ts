/** Coding agents: each makes a whole turn in a scratch folder, played by the upstream, and is interrupted once. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findAbortProblem } from './abort.ts'
import { turnEndText, turnFiles, turnPrompt } from './agent-steps.ts'
import { prompts } from './answers.ts'
import type { Check, Door, ErrorTypes, UpstreamName } from './check.ts'
import { routerOf } from './check-program.ts'
import type { CheckContext, Client } from './client.ts'
import { startCommand, type Command, type Running } from './command.ts'
import { eventually } from './test-bed.ts'

export interface Job {
  door: Door
  /** `https://localhost:<port>/api/router/<id>` */
  routerUrl: string
  apiKey: string
  model: string
  prompt: string
  /** The agent's working folder, which is new. */
  folder: string
  /** The agent's home folder; empty unless the job continues another. */
  home: string
  /** Whether the prompt is the next message of the session that is in the home folder. */
  isContinued?: boolean
  /** Null, or the prompt's length from which the agent compacts by itself. */
  compactsAtTokens?: number
}

/** What of the test bed an agent's configuration needs. */
interface AgentContext extends Pick<CheckContext, 'installed'> {
  bed: Pick<CheckContext['bed'], 'caFile'>
}

export interface AgentClient extends Omit<Client, 'check'> {
  /** What the agent prints when it ends; a status is absent where it waits for hours instead. */
  errors(door: Door): Readonly<Partial<Record<keyof ErrorTypes, RegExp>>>
  /** What a person types to compact a session; absent where only the length of the prompt does it. */
  compactCommand?: string
  /** Writes the agent's configuration into the job's home. */
  prepare(job: Job, context: AgentContext): Promise<Command>
}

const turnLimitMs = 120_000
/** Characters shown of what an agent printed. */
const shownCharacters = 2_000

export function agentClient(agent: AgentClient): Client & AgentClient {
  return {
    ...agent,
    check: async (context) => {
      const checks: Check[] = []
      for (const door of agent.doors) {
        for (const on of ['OpenAI', 'Anthropic', 'mixed'] as const) {
          const place = { agent, context, door, on }
          checks.push({ door, on, capability: 'turn', problem: await checkTurn(place) })
          checks.push({ door, on, capability: 'abort', problem: await checkAbort(place) })
        }
        for (const status of ['401', '404', '429', '503'] as const) {
          const words = agent.errors(door)[status]
          if (words === undefined) continue
          const place = { agent, context, door, on: 'OpenAI' } as const
          const problem = await checkError(place, status, words)
          checks.push({ door, on: status, capability: 'errors', problem })
        }
      }
      return checks
    },
  }
}

interface Place {
  agent: AgentClient
  context: CheckContext
  door: Door
  on: UpstreamName
}

async function checkTurn(place: Place): Promise<string | null> {
  const { folder, home } = await makeFolders(place, 'turn')
  const { edited, written } = turnFiles
  const running = await start(place, { folder, home, prompt: turnPrompt(folder) })
  const exitCode = await running.ended
  const printed = running.printed().slice(-shownCharacters)
  if (exitCode !== 0) return `exit code ${String(exitCode)}: ${printed}`
  if (!printed.includes(turnEndText)) return `the last answer is missing: ${printed}`
  if ((await readFile(join(folder, edited.name), 'utf8')) !== edited.after) {
    return `the file was not edited: ${printed}`
  }
  const ran = await readFile(join(folder, written.name), 'utf8').catch(() => null)
  return ran === written.content ? null : `the command was not run: ${printed}`
}

/** The agent ends, and says what the service said. */
async function checkError(
  place: Place,
  status: keyof ErrorTypes,
  words: RegExp,
): Promise<string | null> {
  const { bed } = place.context
  const { folder, home } = await makeFolders(place, status)
  const running = await start(place, {
    folder,
    home,
    prompt: prompts.plain,
    routerUrl: `${bed.origin}/api/router/${routerOf(bed, status, place.door)}`,
    ...(status === '401' && { apiKey: 'mp_wrong' }),
    ...(status === '404' && { apiKey: bed.key, model: 'no-such-model' }),
  })
  const exitCode = await running.ended
  const printed = running.printed().slice(-shownCharacters)
  if (exitCode === null) return `it did not end: ${printed}`
  return words.test(printed) ? null : `printed: ${printed}`
}

async function checkAbort(place: Place): Promise<string | null> {
  const { bed } = place.context
  const { folder, home } = await makeFolders(place, 'abort')
  const seen = bed.upstreams.all.map(({ requests }) => requests.length)
  const sent = () => bed.upstreams.all.flatMap(({ requests }, at) => requests.slice(seen[at]))
  const running = await start(place, { folder, home, prompt: prompts.abort })
  const hasAsked = await Promise.race([waitForAnswer(sent), running.ended.then(() => false)])
  running.interrupt()
  await running.ended
  if (!hasAsked) return `no request arrived: ${running.printed().slice(-shownCharacters)}`
  return await findAbortProblem(bed, bed.routers[place.on][place.door], sent())
}

/** The silent answer goes to a request with tools; other requests, such as that for a title, come before it. */
async function waitForAnswer(sent: () => readonly { text: string }[]): Promise<boolean> {
  const isThere = await eventually(
    async () => sent().some(({ text }) => text.includes('"tools"')),
    turnLimitMs,
  )
  // The first events are on their way to the client.
  await pause(500)
  return isThere
}

async function makeFolders({ context, door, on }: Place, kind: string) {
  const scratch = join(context.home, `${door}-${on}-${kind}`)
  const folder = join(scratch, 'work')
  const home = join(scratch, 'home')
  await mkdir(folder, { recursive: true })
  await mkdir(home)
  await writeFile(join(folder, turnFiles.edited.name), turnFiles.edited.before)
  return { folder, home }
}

async function start(
  { agent, context, door, on }: Place,
  job: Pick<Job, 'folder' | 'home' | 'prompt'> & Partial<Job>,
): Promise<Running> {
  const { bed } = context
  const routerUrl = `${bed.origin}/api/router/${bed.routers[on][door]}`
  const usual = { door, routerUrl, apiKey: bed.toolKey, model: 'auto' }
  const command = await agent.prepare({ ...usual, ...job }, context)
  const env = { PATH: process.env['PATH'], HOME: job.home, TMPDIR: job.home, ...command.env }
  return startCommand({ ...command, env }, turnLimitMs)
}
