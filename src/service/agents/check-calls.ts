/** Checks that the agents called by an agent exist and do not form a cycle. */
import type { CompiledAgent, Issue } from './compiled.ts'

/** @returns null for an unknown agent */
export type AgentOf = (slug: string) => CompiledAgent | null

/** The maximum depth of calls, including the first agent. */
export const deepestCalls = 5

export function issuesOfCalls({ definition, calls }: CompiledAgent, agentOf: AgentOf): Issue[] {
  const checked = new Map<string, string | null>()
  return calls.flatMap(({ agent, path }) => {
    const message = issueOfCall(agent, [definition.name], { agentOf, checked })
    return message === null ? [] : [{ path, message }]
  })
}

interface Check {
  agentOf: AgentOf
  /**
   * Results by depth and agent. Each agent is checked once per depth, because the number of paths can grow with the
   * fourth power of the calls per agent.
   */
  checked: Map<string, string | null>
}

/** @param callers  the chain of callers, outermost first */
function issueOfCall(slug: string, callers: readonly string[], check: Check): string | null {
  const chain = [...callers, slug]
  if (callers.includes(slug)) return `agents call each other in a cycle: ${chain.join(' → ')}`
  if (chain.length > deepestCalls) {
    return `agents can call agents at most ${deepestCalls} levels deep: ${chain.join(' → ')}`
  }
  const key = `${chain.length} ${slug}`
  const known = check.checked.get(key)
  if (known !== undefined) return known
  const message = issueOfCallsBy(slug, chain, check)
  check.checked.set(key, message)
  return message
}

function issueOfCallsBy(slug: string, chain: readonly string[], check: Check): string | null {
  const agent = check.agentOf(slug)
  if (!agent) return `there is no agent "${slug}"`
  for (const call of agent.calls) {
    const message = issueOfCall(call.agent, chain, check)
    if (message !== null) return message
  }
  return null
}
