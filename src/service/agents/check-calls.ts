/** Whether the agents that an agent calls are there, and never call it in turn. */
import type { CompiledAgent, Fault } from './compiled.ts'

/** Null where there is none of this name. */
export type AgentOf = (slug: string) => CompiledAgent | null

/** How deep agents call agents; the first one counts. */
export const deepestCalls = 5

export function faultsOfCalls({ definition, calls }: CompiledAgent, agentOf: AgentOf): Fault[] {
  const checked = new Map<string, string | null>()
  return calls.flatMap(({ agent, path }) => {
    const message = faultOfCall(agent, [definition.name], { agentOf, checked })
    return message === null ? [] : [{ path, message }]
  })
}

interface Check {
  agentOf: AgentOf
  /**
   * Results by depth and agent. Each agent is checked once per depth: agents that call the next one many times each
   * would make the number of paths grow with the fourth power.
   */
  checked: Map<string, string | null>
}

/** @param callers  on the way, the first one first */
function faultOfCall(slug: string, callers: readonly string[], check: Check): string | null {
  const way = [...callers, slug]
  if (callers.includes(slug)) return `agents would call each other without end: ${way.join(' → ')}`
  if (way.length > deepestCalls) {
    return `agents call agents ${deepestCalls} deep at most: ${way.join(' → ')}`
  }
  const key = `${way.length} ${slug}`
  const known = check.checked.get(key)
  if (known !== undefined) return known
  const message = faultOfCallsBy(slug, way, check)
  check.checked.set(key, message)
  return message
}

function faultOfCallsBy(slug: string, way: readonly string[], check: Check): string | null {
  const agent = check.agentOf(slug)
  if (!agent) return `there is no agent "${slug}"`
  for (const call of agent.calls) {
    const message = faultOfCall(call.agent, way, check)
    if (message !== null) return message
  }
  return null
}
