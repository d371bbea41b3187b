/** Gives a client's program its tasks, and compares what it saw with what the upstream sent and the ledger says. */
import { isDeepStrictEqual } from 'node:util'
import { findAbortProblem } from './abort.ts'
import { helloText, prompts, structuredValue, textAfterTool, toolInput } from './answers.ts'
import {
  upstreamNames,
  type Check,
  type Door,
  type ErrorTypes,
  type UpstreamName,
} from './check.ts'
import type { Client } from './client.ts'
import type { Outcome, Program, Task } from './program.ts'
import type { TestBed } from './test-bed.ts'

interface Subject extends Pick<Client, 'doors' | 'without'> {
  ownField?: string
  errors: Readonly<Partial<Record<Door, ErrorTypes>>>
}

export async function checkProgram(
  subject: Subject,
  bed: TestBed,
  program: Program,
): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const door of subject.doors) {
    const context = { bed, program, door, ownField: subject.ownField ?? null }
    for (const { capability, on } of tasksFor(subject, bed)) {
      checks.push({ door, capability, on, problem: await checkTask(context, capability, on) })
    }
    for (const status of ['401', '404', '429', '503'] as const) {
      const problem = await checkError(context, status, subject.errors[door]?.[status])
      checks.push({ door, capability: 'errors', on: status, problem })
    }
  }
  return checks
}

function tasksFor({ without = {} }: Subject, { hasBuiltIn }: TestBed) {
  return upstreamNames
    .flatMap((on) => (on === 'built-in' ? basic : all).map((capability) => ({ on, capability })))
    .filter(
      ({ on, capability }) =>
        without[capability] === undefined && (hasBuiltIn || on !== 'built-in'),
    )
}

const basic = ['plain', 'stream', 'abort'] as const
const all = [...basic, 'tools', 'structured'] as const

interface Context {
  bed: TestBed
  program: Program
  door: Door
  ownField: string | null
}

async function checkTask(
  { bed, program, door, ownField }: Context,
  capability: Task['do'],
  on: UpstreamName,
): Promise<string | null> {
  const routerId = bed.routers[on][door]
  const seen = bed.upstreams.all.map(({ problems, requests }) => ({
    problems: problems.length,
    requests: requests.length,
  }))
  const outcome = await outcomeOf(program, taskFor(bed, { door, capability, routerId }))
  if ('error' in outcome) return `${outcome.error.type}: ${outcome.error.message}`
  const sent = bed.upstreams.all.flatMap(({ requests }, at) => requests.slice(seen[at]?.requests))
  const problem =
    capability === 'abort'
      ? await findAbortProblem(bed, routerId, sent)
      : findProblem(outcome.result, capability, on)
  const refused = bed.upstreams.all.flatMap(({ problems }, at) =>
    problems.slice(seen[at]?.problems),
  )
  const isOwn = ownField !== null && refused.some((text) => text.includes(`"${ownField}"`))
  if (problem !== null || refused.length === 0 || isOwn) return problem
  return `the vendor would refuse: ${refused.join('; ')}`
}

interface TaskChoice {
  door: Door
  capability: Task['do']
  routerId: string
}

const shortAnswerTokens = 24
/** The answer to `abort` must not end by itself before the client has left. */
const longAnswerTokens = 512

function taskFor(bed: TestBed, { door, capability, routerId }: TaskChoice): Task {
  return {
    door,
    do: capability,
    routerUrl: `${bed.origin}/api/router/${routerId}`,
    apiKey: bed.key,
    model: 'auto',
    prompt: prompts[capability],
    maxTokens: capability === 'abort' ? longAnswerTokens : shortAnswerTokens,
    toolResult: 'rain',
  }
}

async function outcomeOf(program: Program, task: Task): Promise<Outcome> {
  try {
    return await program.run(task)
  } catch (error) {
    return { error: { type: 'Error', status: null, message: String(error) } }
  }
}

function findProblem(
  result: Readonly<Record<string, unknown>>,
  capability: Exclude<Task['do'], 'abort'>,
  on: UpstreamName,
): string | null {
  const found = JSON.stringify(result)
  const { text, pieces, calls, value } = result
  const isBuiltIn = on === 'built-in'
  switch (capability) {
    case 'plain':
      return (isBuiltIn ? isText(text) : text === helloText) ? null : `unexpected: ${found}`
    case 'stream': {
      if (typeof pieces !== 'number' || pieces < 2) return `not streamed: ${found}`
      return (isBuiltIn ? isText(text) : text === helloText) ? null : `unexpected: ${found}`
    }
    case 'tools': {
      const wanted = [{ name: 'get_weather', input: toolInput }]
      if (!isDeepStrictEqual(calls, wanted)) return `unexpected calls: ${found}`
      return text === textAfterTool('rain') ? null : `unexpected end: ${found}`
    }
    case 'structured':
      return isDeepStrictEqual(value, structuredValue) ? null : `unexpected value: ${found}`
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

async function checkError(
  { bed, program, door }: Context,
  status: keyof ErrorTypes,
  type: string | undefined,
): Promise<string | null> {
  const routerId = routerOf(bed, status, door)
  const task = taskFor(bed, { door, capability: 'plain', routerId })
  if (status === '401') task.apiKey = 'mp_wrong'
  if (status === '404') task.model = 'no-such-model'
  const outcome = await outcomeOf(program, task)
  if ('result' in outcome) return `answered: ${JSON.stringify(outcome.result)}`
  const { error } = outcome
  if (error.type !== type) return `${error.type} instead of ${type ?? 'none'}: ${error.message}`
  if (String(error.status) === status) return null
  return `status ${String(error.status)} instead of ${status}: ${error.message}`
}

/** The router whose answer has this status, with the right key or model. */
export function routerOf(bed: TestBed, status: keyof ErrorTypes, door: Door): string {
  if (status === '429') return bed.limited
  return status === '503' ? bed.unavailable : bed.routers.OpenAI[door]
}
