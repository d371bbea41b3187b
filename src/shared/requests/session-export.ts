import type { Session, SessionRequest } from './session.ts'

/** A session as a file for others: numbers, names of tools and models, and no name of a session, agent, key or router. */
export function exportSession({ requests, agents, ...session }: Session): string {
  const agentNumbers = new Map(agents.map(({ id }, index) => [id, index]))
  const { client, version, startedAtMs, endedAtMs, turns, costNanoUsd, costs, lostNanoUsd } =
    session
  const stepOf = ({ record, step }: SessionRequest) => ({
    afterMs: record.startedAtMs - startedAtMs,
    /** 0 is the main agent; null for a request that is not a step. */
    agent: agentNumbers.get(record.agentId) ?? null,
    agentType: step.agentType,
    kind: step.kind,
    startsTurn: step.startsTurn,
    class: step.class,
    tools: step.tools,
    marks: step.marks,
    model: record.modelUsed,
    effort: step.effort,
    why: step.why,
    tokens: step.tokens,
    costs: step.costs,
    cache: step.cache ?? null,
    costNanoUsd: record.costNanoUsd,
    latencyMs: record.latencyMs,
    firstTokenMs: record.firstTokenMs,
    attempts: record.attempts,
    status: record.status,
  })
  const durationMs = endedAtMs - startedAtMs
  const head = { client, version, durationMs, turns, costNanoUsd, costs, lostNanoUsd }
  return `${JSON.stringify({ ...head, steps: requests.map(stepOf) }, null, 2)}\n`
}
