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

/**
 * Whether a change of agents breaks the calls of another one. An agent that was broken before may stay so, because a
 * change must be able to mend one of several.
 * @param others  the agents that do not change
 * @returns  words for the first one that breaks; null when none does
 */
export function brokenCaller(
  others: Iterable<CompiledAgent>,
  { before, after }: { before: AgentOf; after: AgentOf },
): string | null {
  for (const other of others) {
    const [issue] = issuesOfCalls(other, after)
    if (issue && issuesOfCalls(other, before).length === 0) {
      return `agent:${other.definition.name} would no longer run: ${issue.message}`
    }
  }
  return null
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
