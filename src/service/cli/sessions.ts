import type { Command } from 'commander'
import { culpritWords } from '../../shared/requests/cache-words.ts'
import {
  depthOf,
  promptTokensOf,
  type Session,
  type SessionAgent,
  type SessionRequest,
  type SessionRow,
} from '../../shared/requests/session.ts'
import { shadowWords, splitWords } from '../../shared/requests/proof-words.ts'
import type { RuleProofs } from '../../shared/requests/session-proof.ts'
import type { LookedRule } from '../../shared/requests/look-only.ts'
import { stuckWords, whyWords } from '../../shared/requests/why-words.ts'
import { formatDuration } from '../../shared/strings/format.ts'
import { otherSubagents } from '../../shared/routers/routing-settings.ts'
import {
  deleteSession,
  findSession,
  makeRule,
  pinSession,
  sessionFile,
} from '../wiring/session-actions.ts'
import { confirm } from './confirm.ts'
import type { Cli } from './cli.ts'
import { maxLimit, readLimit, sinceOption } from './option-values.ts'
import { tableLines, type Columns } from './output.ts'

export function registerSessions(program: Command, cli: Cli): void {
  const sessions = program.command('sessions')
  sessions
    .command('show <id>')
    .description('one session: what it cost, its agents and its steps')
    .action((id: string) =>
      cli.inWorkspace(async (workspace) => {
        const session = await findSession(id, workspace)
        cli.output.text(session, textOf(session))
      }),
    )
  sessions
    .command('cache <id>')
    .description('whether the vendors’ caches of a session held, and who broke them')
    .action((id: string) =>
      cli.inWorkspace(async (workspace) => {
        const report = cacheReport(await findSession(id, workspace))
        cli.output.text(report, cacheText(report))
      }),
    )
  sessions
    .command('rules')
    .description(
      'what other models for subagents would have saved in the last 30 days, without using them',
    )
    .action(() =>
      cli.inWorkspace(async (workspace) => {
        const { lookAtRules } = await import('../wiring/look-at-rules.ts')
        cli.output.table(await lookAtRules(workspace), ruleColumns)
      }),
    )
  sessions
    .command('proof')
    .description(
      'sessions with and without their router’s rules, and steps that another model was asked too',
    )
    .action(() =>
      cli.inWorkspace(async (workspace) => {
        const { proveRules } = await import('../wiring/prove-rules.ts')
        const proofs = await proveRules(workspace)
        cli.output.text(proofs, proofText(proofs))
      }),
    )
  registerActions(sessions, cli)
  registerRule(sessions, cli)
  sessions
    .description('sessions of coding agents, the last used first')
    .addOption(sinceOption())
    .option('--limit <number>', `number of sessions, at most ${maxLimit}`, readLimit, 20)
    .action(({ since, limit }: { since: number; limit: number }) =>
      cli.inWorkspace(async ({ storage }) => {
        cli.output.table(await storage.ledger.sessions({ sinceMs: since, limit }), columns)
      }),
    )
}

function registerActions(sessions: Command, cli: Cli): void {
  sessions
    .command('pin <id> <model>')
    .description(
      'let a model of its router answer the session’s main agent, whatever the router would choose',
    )
    .action((id: string, model: string) =>
      cli.inWorkspace(async (workspace) => {
        await pinSession(id, model, workspace)
        const rule = 'A request with a tool’s result still goes to the model that called the tool.'
        cli.output.done({ id, model }, `${model} is pinned to the session. ${rule}`)
      }),
    )
  sessions
    .command('unpin <id>')
    .description('let the router choose the session’s model again')
    .action((id: string) =>
      cli.inWorkspace(async (workspace) => {
        await pinSession(id, null, workspace)
        cli.output.done({ id, model: null }, 'The router chooses the session’s model.')
      }),
    )
  sessions
    .command('export <id>')
    .description('print the session as JSON with numbers only, to share it')
    .action((id: string) =>
      cli.inWorkspace(async (workspace) => {
        const file = await sessionFile(id, workspace)
        cli.output.text(JSON.parse(file), file.trimEnd())
      }),
    )
  sessions
    .command('delete <id>')
    .description(
      'delete the session and stored texts of its requests; the requests stay, with their cost',
    )
    .option('--yes', 'skip the confirmation')
    .action((id: string, { yes }: { yes?: true }) =>
      cli.inWorkspace(async (workspace) => {
        await findSession(id, workspace)
        if (yes !== true) await confirm(`Delete the session ${id}?`, cli)
        await deleteSession(id, workspace)
        cli.output.done({ deleted: id }, 'The session is deleted.')
      }),
    )
}

function registerRule(sessions: Command, cli: Cli): void {
  sessions
    .command('rule <id> <target>')
    .description(
      'send subagents of its router to another router or model; off lets the router choose again',
    )
    .option('--type <type>', 'type of subagent', otherSubagents)
    .action((id: string, target: string, { type }: { type: string }) =>
      cli.inWorkspace(async (workspace) => {
        const rule = { type, target: target === 'off' ? null : target }
        const { router, undo } = await makeRule(id, rule, workspace)
        const words = `Subagents of type ${type} of ${router.name} go to ${rule.target ?? 'its own models'}.`
        const back = `modelport sessions rule ${id} ${undo.target ?? 'off'} --type ${type}`
        cli.output.done({ routerId: router.id, ...rule, undo }, `${words} To undo: ${back}`)
      }),
    )
}

const usd = (nanoUsd: number) => `$${(nanoUsd / 1e9).toFixed(6)}`
const share = (part: number, whole: number) =>
  whole === 0 ? null : `${Math.round((100 * part) / whole)} %`

const columns: Columns<SessionRow> = {
  STARTED: ({ startedAtMs }) => new Date(startedAtMs).toISOString(),
  SESSION: ({ id }) => id,
  CLIENT: ({ client, version }) => (version === null ? client : `${client} ${version}`),
  DURATION: ({ startedAtMs, endedAtMs }) => formatDuration(endedAtMs - startedAtMs),
  TURNS: ({ turns }) => turns,
  STEPS: ({ steps }) => steps,
  SUBAGENTS: ({ subagents }) => subagents,
  USD: ({ costNanoUsd }) => (costNanoUsd / 1e9).toFixed(6),
  'FROM CACHE': ({ readTokens, promptTokens }) => share(readTokens, promptTokens),
  BROKEN: ({ broken }) => broken,
  FAILED: ({ failed }) => failed,
  MODELS: ({ models }) => models.join(', '),
}

const ruleColumns: Columns<LookedRule> = {
  ROUTER: ({ routerName }) => routerName,
  RULE: ({ model }) => `subagents on ${model}`,
  SESSIONS: ({ sessions }) => sessions,
  'WOULD HAVE SAVED': ({ missing, savedNanoUsd }) =>
    missing > 0 ? `not enough sessions to tell, ${missing} more` : usd(savedNanoUsd),
  '95 % RANGE': ({ lowNanoUsd, highNanoUsd }) => `${usd(lowNanoUsd)} to ${usd(highNanoUsd)}`,
}

function proofText({ splits, shadows }: RuleProofs): string {
  const parts = [...splits.map(splitWords), ...shadows.map(shadowWords)]
  if (parts.length > 0) return parts.map((lines) => lines.join('\n')).join('\n\n')
  return 'No router compares its rules. Use modelport router update ID --split, or --shadow-steps.'
}

function textOf(session: Session): string {
  const { agents } = session
  return [
    headText(session),
    tableLines(agents, agentColumns(agents)).join('\n'),
    tableLines(session.requests, stepColumns(session)).join('\n'),
  ].join('\n\n')
}

function headText(session: Session): string {
  const { costs, costNanoUsd, client, version, state, turns, lostNanoUsd, byKind, byClass } =
    session
  const sums = (parts: Partial<Record<string, number>>) =>
    Object.entries(parts)
      .map(([name, nanoUsd]) => `${name} ${usd(nanoUsd ?? 0)}`)
      .join(', ')
  const minutes = formatDuration(session.endedAtMs - session.startedAtMs)
  return [
    `${client} ${version ?? ''}, ${state}, ${turns} turns, ${session.requests.length} requests in ${minutes}`,
    `Cost: ${usd(costNanoUsd)}: ${sums(costs)}`,
    `Lost to broken caches: ${usd(lostNanoUsd)}`,
    `By kind: ${sums(byKind)}`,
    `By class: ${sums(byClass)}`,
    `Longest prompt: ${session.longestPrompt} tokens`,
  ].join('\n')
}

function agentColumns(agents: readonly SessionAgent[]): Columns<SessionAgent> {
  return {
    AGENT: (agent) => `${'  '.repeat(depthOf(agent, agents))}${agent.id ?? 'main'}`,
    TYPE: ({ type }) => type,
    STEPS: ({ steps }) => steps,
    USD: ({ costNanoUsd }) => (costNanoUsd / 1e9).toFixed(6),
    MODELS: ({ models }) => models.join(', '),
  }
}

function stepColumns({ requests }: Session): Columns<SessionRequest> {
  const numbers = new Map(requests.map((request, index) => [request, index + 1]))
  let turn = 0
  const turns = new Map(
    requests.map((request) => [request, request.step.startsTurn ? (turn += 1) : turn]),
  )
  return {
    STEP: (request) => numbers.get(request) ?? null,
    TURN: (request) => turns.get(request) ?? null,
    AGENT: ({ record }) => record.agentId ?? 'main',
    KIND: ({ step }) => step.kind,
    CLASS: ({ step }) => step.class,
    TOOLS: ({ step }) => step.tools.join(' '),
    MARKS: ({ step }) =>
      [
        ...step.marks,
        ...(step.stuck ?? []).map((mark) => stuckWords[mark]),
        ...(step.cache?.culprit ? ['cache broken'] : []),
      ].join(', '),
    MODEL: ({ record, step }) => [record.modelUsed ?? '–', step.effort ?? ''].join(' ').trim(),
    WHY: ({ step }) => whyWords(step),
    READ: ({ step }) => step.tokens.read,
    WRITTEN: ({ step }) => step.tokens.written,
    UNCACHED: ({ step }) => step.tokens.uncached,
    OUT: ({ step }) => step.tokens.output,
    USD: ({ record }) => (record.costNanoUsd / 1e9).toFixed(6),
    'FIRST MS': ({ record }) => record.firstTokenMs && Math.round(record.firstTokenMs),
    MS: ({ record }) => Math.round(record.latencyMs),
    TRIES: ({ record }) => record.attempts,
    STATUS: ({ record }) => record.status,
  }
}

interface CacheReport {
  /** Steps that could be judged. */
  eligible: number
  broken: SessionRequest[]
  lostNanoUsd: number
  readTokens: number
  promptTokens: number
}

function cacheReport({ requests, lostNanoUsd }: Session): CacheReport {
  const judged = requests.filter(({ step }) => step.cache !== undefined)
  return {
    eligible: judged.length,
    broken: judged.filter(({ step }) => step.cache?.culprit !== undefined),
    lostNanoUsd,
    readTokens: requests.reduce((sum, { step }) => sum + step.tokens.read, 0),
    promptTokens: requests.reduce((sum, { step }) => sum + promptTokensOf(step), 0),
  }
}

function cacheText({
  eligible,
  broken,
  lostNanoUsd,
  readTokens,
  promptTokens,
}: CacheReport): string {
  const read = share(readTokens, promptTokens) ?? 'nothing'
  const head = `${broken.length} of ${eligible} steps that could be judged read less than they should; ${read} of all prompt tokens came from a cache.`
  if (broken.length === 0) return head
  const lines = tableLines(broken, {
    STARTED: ({ record }) => new Date(record.startedAtMs).toISOString(),
    AGENT: ({ record }) => record.agentId ?? 'main',
    MODEL: ({ record }) => record.modelUsed,
    EXPECTED: ({ step }) => step.cache?.expected ?? null,
    READ: ({ step }) => step.cache?.read ?? null,
    LOST: ({ step }) => usd(step.cache?.lostNanoUsd ?? 0),
    WHO: ({ step }) => (step.cache ? culpritWords(step.cache) : null),
  })
  return [`${head} They cost ${usd(lostNanoUsd)} more.`, ...lines].join('\n')
}
