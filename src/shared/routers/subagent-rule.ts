import type { Router, RouterInput } from '../entities.ts'
import { otherSubagents, type Subagents } from './routing-settings.ts'

/** A type of subagent, and the router or model that it goes to. */
export interface SubagentRule {
  /** `default` for all types that are not named. */
  type: string
  /** Null: this router's own models. */
  target: string | null
}

/** A router with one more rule for subagents, or without one. */
export function withSubagentRule(router: Router, rule: SubagentRule): RouterInput {
  const { id: _id, createdAtMs: _created, updatedAtMs: _updated, ...input } = router
  const subagents = withRule(router.routing.subagents, rule)
  return { ...input, routing: { ...input.routing, subagents } }
}

/** The rules with this one set, or removed when it has no target; null for none. */
export function withRule(
  rules: Subagents | null | undefined,
  { type, target }: SubagentRule,
): Subagents | null {
  const { [type]: _before, ...others } = rules ?? {}
  const changed = target === null ? others : { ...others, [type]: target }
  return Object.keys(changed).length === 0 ? null : changed
}

/** The rule that brings back what the router has now for the type. */
export function ruleBefore({ routing }: Router, type: string): SubagentRule {
  return { type, target: routing.subagents?.[type] ?? null }
}

/** The types of a session's subagents, then the word for all others. */
export function typesOf(agents: readonly { type: string | null }[]): string[] {
  return [...new Set([...agents.flatMap(({ type }) => type ?? []), otherSubagents])]
}
