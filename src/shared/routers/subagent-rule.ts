import type { Router, RouterInput } from '../entities.ts'
import { otherSubagents } from './routing-settings.ts'

/** A type of subagent, and the router or model that it goes to. */
export interface SubagentRule {
  /** `default` for all types that are not named. */
  type: string
  /** Null: this router's own models. */
  target: string | null
}

/** A router with one more rule for subagents, or without one. */
export function withSubagentRule(router: Router, { type, target }: SubagentRule): RouterInput {
  const { id: _id, createdAtMs: _created, updatedAtMs: _updated, ...input } = router
  const { [type]: _before, ...others } = router.routing.subagents ?? {}
  const subagents = target === null ? others : { ...others, [type]: target }
  const isEmpty = Object.keys(subagents).length === 0
  return { ...input, routing: { ...input.routing, subagents: isEmpty ? null : subagents } }
}

/** The rule that brings back what the router has now for the type. */
export function ruleBefore({ routing }: Router, type: string): SubagentRule {
  return { type, target: routing.subagents?.[type] ?? null }
}

/** The types of a session's subagents, then the word for all others. */
export function typesOf(agents: readonly { type: string | null }[]): string[] {
  return [...new Set([...agents.flatMap(({ type }) => type ?? []), otherSubagents])]
}
