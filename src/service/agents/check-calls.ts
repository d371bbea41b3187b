/** Whether the agents that an agent calls are there, and never call it in turn. */
import type { CompiledAgent, Fault } from './compiled.ts'

/** Null where there is none of this name. */
export type AgentOf = (slug: string) => CompiledAgent | null

/** How deep agents call agents; the first one counts. */
export const deepestCalls = 5

export function faultsOfCalls({ definition, calls }: CompiledAgent, agentOf: AgentOf): Fault[] {
  return calls.flatMap(({ agent, path }) => {
    const message = faultOfCall(agent, [definition.name], agentOf)
    return message === null ? [] : [{ path, message }]
  })
}

/** @param callers  on the way, the first one first */
function faultOfCall(slug: string, callers: readonly string[], agentOf: AgentOf): string | null {
  const way = [...callers, slug]
  if (callers.includes(slug)) return `agents would call each other without end: ${way.join(' → ')}`
  if (way.length > deepestCalls) {
    return `agents call agents ${deepestCalls} deep at most: ${way.join(' → ')}`
  }
  const agent = agentOf(slug)
  if (!agent) return `there is no agent "${slug}"`
  for (const call of agent.calls) {
    const message = faultOfCall(call.agent, way, agentOf)
    if (message !== null) return message
  }
  return null
}
