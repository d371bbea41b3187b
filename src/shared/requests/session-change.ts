/** Why a coding agent's session left its model, or could not, as its decision and its step record it. */
import { z } from 'zod'

/**
 * What tells that a turn is stuck. `repeat`: a call came again without an edit between. `errors`: four of the last ten
 * results. `edits`: fifteen or more. `long`: more than fifty steps.
 */
export const stuckMarks = ['repeat', 'errors', 'edits', 'long'] as const
export type StuckMark = (typeof stuckMarks)[number]

/** Where nothing in a cache is lost, so that the strategy chooses: at the start, after a compaction or a long pause. */
export const freeRules = ['start', 'compacted', 'cold'] as const

/**
 * What moves a session to another model. `stuck` and `check_failed`: up for the rest of the turn. `cheap_first`: down until
 * the named check fails. `saves`: down for some steps, by the arithmetic. `back`: up again for an edit or a person. `gate`: a
 * cheaper model is asked first, and its answer is used if it only reads.
 */
export const changeRules = [
  'stuck',
  'check_failed',
  'cheap_first',
  'saves',
  'back',
  'gate',
] as const

/**
 * What forbids a change. `open_calls`: a call has no result yet. `vendor_state`, `vendor_tools`: the vendor holds what the
 * next step needs. `thinking`: the model must have begun the turn. `parameters`: the other model takes fewer.
 * `safeguards`: the other vendor checks no actions.
 */
export const forbiddenReasons = [
  'open_calls',
  'vendor_state',
  'vendor_tools',
  'thinking',
  'parameters',
  'safeguards',
] as const
export type ForbiddenReason = (typeof forbiddenReasons)[number]

const sumsSchema = z.strictObject({
  /** For how many steps it is expected to last; 0 for a change that is not made to save. */
  steps: z.int(),
  /** Expected of each of these steps. */
  savedNanoUsd: z.int(),
  /** For filling the other model's cache. */
  fillNanoUsd: z.int(),
  /** For filling the first model's again, where it does not last as long. */
  lostNanoUsd: z.int(),
})
export type ChangeSums = z.infer<typeof sumsSchema>

export const sessionChangeSchema = z.strictObject({
  rule: z.enum([...freeRules, ...changeRules]),
  /** The model before; absent at the start. */
  from: z.string().optional(),
  mark: z.enum(stuckMarks).optional(),
  /** The cheaper model that the gate asks first. */
  first: z.string().optional(),
  sums: sumsSchema.optional(),
  /** Why the session stayed all the same. */
  forbidden: z.enum(forbiddenReasons).optional(),
})
export type SessionChange = z.infer<typeof sessionChangeSchema>

const moving: ReadonlySet<string> = new Set(changeRules)

/** Whether a rule of sessions, not the strategy, put another model first. */
export function isMoved(change: SessionChange | undefined): boolean {
  return change !== undefined && change.forbidden === undefined && moving.has(change.rule)
}
