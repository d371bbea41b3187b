/** A coding agent's session, added up from its steps: its costs, its agents and each step. */
import type { RequestRecord } from '../entities.ts'
import {
  sessionStepSchema,
  type RequestKind,
  type SessionStep,
  type StepClass,
} from './session-step.ts'

/** A client's own name of a session counts for one API key: two may use the same. */
export interface SessionOfKey {
  sessionId: string
  /** Null for the key that used the session last. */
  apiKeyId: string | null
}

/** The name that tells sessions of two keys apart: `<the client's name>@<the key's id>`. */
export function nameOfSession({ sessionId, apiKeyId }: SessionOfKey): string {
  return apiKeyId === null ? sessionId : `${sessionId}@${apiKeyId}`
}

/** @param name  as above, or the client's own */
export function readSessionName(name: string): SessionOfKey {
  const [, sessionId = name, apiKeyId = null] = /^(.+)@(key_\w+)$/.exec(name) ?? []
  return { sessionId, apiKeyId }
}

/** A session in the list. */
export interface SessionRow {
  /** The client's own name; with the key's id where two keys use the same. */
  id: string
  client: SessionStep['client']
  version: string | null
  apiKeyId: string | null
  routerId: string
  startedAtMs: number
  endedAtMs: number
  /** Its requests without titles, safety checks and the like. */
  steps: number
  turns: number
  subagents: number
  /** By name. */
  models: string[]
  costNanoUsd: number
  promptTokens: number
  readTokens: number
  /** Requests without an answer, but those that the caller ended. */
  failed: number
  /** Steps whose cache broke. */
  broken: number
}

/** `running` while a tool's result is expected, `waiting` for the person, `ended` when nothing came for a while. */
export type SessionState = 'running' | 'waiting' | 'ended'

/** Nano-dollars; `other`: attempts that did not answer. */
export type SessionCosts = Record<'read' | 'written' | 'uncached' | 'output' | 'other', number>

export interface SessionRequest {
  record: RequestRecord
  step: SessionStep
}

export interface SessionAgent {
  /** Null for the main agent. */
  id: string | null
  parent: string | null
  type: string | null
  steps: number
  models: string[]
  costNanoUsd: number
}

export interface Session {
  id: string
  client: SessionStep['client']
  version: string | null
  startedAtMs: number
  endedAtMs: number
  state: SessionState
  turns: number
  costNanoUsd: number
  costs: SessionCosts
  /** What broken caches cost more than reading them. */
  lostNanoUsd: number
  byKind: Partial<Record<RequestKind, number>>
  byClass: Partial<Record<StepClass, number>>
  longestPrompt: number
  /** The main agent first. */
  agents: SessionAgent[]
  requests: SessionRequest[]
}

/** Without anything for this long, a session has ended. */
const endedAfterMs = 3_600_000

/** @param records  all requests of a session, oldest first. @returns null without any */
export function sessionOf(records: readonly RequestRecord[], nowMs: number): Session | null {
  const requests = records.flatMap(readRequest)
  const [first] = requests
  const last = requests.at(-1)
  if (first === undefined || last === undefined) return null
  const endedAtMs = Math.max(...requests.map(({ record }) => endOf(record)))
  return {
    id: first.record.sessionId ?? '',
    client: first.step.client,
    version: last.step.version,
    startedAtMs: first.record.startedAtMs,
    endedAtMs,
    state: stateOf(requests, nowMs - endedAtMs),
    turns: requests.filter(({ step }) => step.startsTurn).length,
    costNanoUsd: requests.reduce((sum, { record }) => sum + record.costNanoUsd, 0),
    costs: costsOf(requests),
    lostNanoUsd: requests.reduce((sum, { step }) => sum + (step.cache?.lostNanoUsd ?? 0), 0),
    byKind: sumsBy(requests, ({ step }) => step.kind),
    byClass: sumsBy(requests, ({ step }) => step.class),
    longestPrompt: Math.max(...requests.map(({ step }) => promptTokensOf(step))),
    agents: agentsOf(requests),
    requests,
  }
}

function readRequest(record: RequestRecord): SessionRequest[] {
  if (record.sessionStep === null) return []
  const step = sessionStepSchema.safeParse(JSON.parse(record.sessionStep))
  // A newer version may have written another form.
  return step.success ? [{ record, step: step.data }] : []
}

export function isAgentsStep({ kind }: Pick<SessionStep, 'kind'>): boolean {
  return kind === 'main' || kind === 'subagent' || kind === 'compaction'
}

export function promptTokensOf({ tokens }: SessionStep): number {
  return tokens.read + tokens.written + tokens.uncached
}

function endOf({ startedAtMs, latencyMs }: RequestRecord): number {
  return Math.round(startedAtMs + latencyMs)
}

function stateOf(requests: readonly SessionRequest[], silentMs: number): SessionState {
  if (silentMs > endedAfterMs) return 'ended'
  const last = requests.findLast(({ step }) => step.kind === 'main')
  return last?.step.class === 'text' ? 'waiting' : 'running'
}

function costsOf(requests: readonly SessionRequest[]): SessionCosts {
  const sum: SessionCosts = { read: 0, written: 0, uncached: 0, output: 0, other: 0 }
  for (const { record, step } of requests) {
    const { read, written, uncached, output } = step.costs
    sum.read += read
    sum.written += written
    sum.uncached += uncached
    sum.output += output
    sum.other += record.costNanoUsd - read - written - uncached - output
  }
  return sum
}

function sumsBy<Name extends string>(
  requests: readonly SessionRequest[],
  nameOf: (request: SessionRequest) => Name | null,
): Partial<Record<Name, number>> {
  const sums: Partial<Record<Name, number>> = {}
  for (const request of requests) {
    const name = nameOf(request)
    if (name !== null) sums[name] = (sums[name] ?? 0) + request.record.costNanoUsd
  }
  return sums
}

function agentsOf(requests: readonly SessionRequest[]): SessionAgent[] {
  const agents = new Map<string | null, SessionAgent>()
  for (const { record, step } of requests) {
    if (!isAgentsStep(step)) continue
    const { agentId: id, modelUsed: model } = record
    const known = agents.get(id)
    const agent = known ?? { id, parent: null, type: null, steps: 0, models: [], costNanoUsd: 0 }
    if (known === undefined) agents.set(id, agent)
    agent.parent ??= step.parent
    agent.type ??= step.agentType
    agent.steps += 1
    agent.costNanoUsd += record.costNanoUsd
    if (model !== null && !agent.models.includes(model)) agent.models.push(model)
  }
  return [...agents.values()].toSorted((a, b) => Number(a.id !== null) - Number(b.id !== null))
}

/** How deep an agent is under the main one, from 0. */
export function depthOf(agent: SessionAgent, agents: readonly SessionAgent[]): number {
  let depth = 0
  let above: SessionAgent | undefined = agent
  while (above !== undefined && above.id !== null && depth < agents.length) {
    const { parent }: SessionAgent = above
    above = agents.find(({ id }) => id === parent)
    depth += 1
  }
  return depth
}
