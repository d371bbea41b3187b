/** What the ledger stores of a coding agent's request as a step of its session: names and numbers, never texts. */
import { z } from 'zod'
import { cacheVerdictSchema } from './cache-verdict.ts'
import { changeRules, freeRules, sessionChangeSchema, stuckMarks } from './session-change.ts'

/**
 * `title`: also a recap, or the name of a branch. `safety`: whether an action may run. `probe`: whether the service
 * answers at all. `web_search`: a search that a tool of the client makes. `other`: a side request of another kind.
 */
export const requestKinds = [
  'main',
  'subagent',
  'compaction',
  'title',
  'safety',
  'probe',
  'web_search',
  'other',
] as const
export type RequestKind = (typeof requestKinds)[number]

/** What the answer of a step does, by its calls; of several the first counts. `text`: it calls nothing. */
export const stepClasses = [
  'edit',
  'verify',
  'finish',
  'delegate',
  'plan',
  'explore',
  'text',
] as const
export type StepClass = (typeof stepClasses)[number]

/**
 * Why the step's model was chosen: the tool's result is for it, it was near enough, its cache is warm, it answers this agent
 * until it ends, a person pinned it to the session, the request named it, a look at a new model, a random choice, no other
 * could, the strategy's own choice, or a rule of `session-change.ts`; `forbidden`: the rule was not allowed to.
 */
export const modelReasons = [
  'tool',
  'near',
  'warm',
  'agent',
  'session',
  'pinned',
  'look',
  'explored',
  'only',
  'chosen',
  ...freeRules,
  ...changeRules,
  'forbidden',
] as const
export type ModelReason = (typeof modelReasons)[number]

const count = z.int().min(0)

export const sessionStepSchema = z.strictObject({
  client: z.enum(['claude-code', 'codex', 'opencode']),
  version: z.string().nullable(),
  kind: z.enum(requestKinds),
  parent: z.string().nullable(),
  agentType: z.string().nullable(),
  /** Whether a person's message came before. */
  startsTurn: z.boolean(),
  /** Null for requests that are not steps, and without an answer. */
  class: z.enum(stepClasses).nullable(),
  /** Names of the tools that the answer calls. */
  tools: z.array(z.string()),
  /** Marks of the results that the request brought. */
  marks: z.array(z.enum(['error', 'failed', 'passed'])),
  why: z.enum(modelReasons),
  /** Absent where no rule of sessions wanted another model. */
  change: sessionChangeSchema.optional(),
  /** Signs of a stuck turn that this step brought; absent for none. */
  stuck: z.array(z.enum(stuckMarks)).optional(),
  /** The router or model that the router's setting names for agents of this type; absent for its own models. */
  routedTo: z.string().optional(),
  /** Whether its session has the router's rules; absent where sessions are not split. */
  arm: z.enum(['rules', 'plain']).optional(),
  effort: z.string().nullable(),
  tokens: z.strictObject({ read: count, written: count, uncached: count, output: count }),
  /** Nano-dollars of the answer, with surcharges in `output`; what the row costs above them are other attempts. */
  costs: z.strictObject({ read: count, written: count, uncached: count, output: z.int() }),
  /** Short hashes of the proofs of reasoning that the answer gave; absent without any. */
  proofs: z.array(z.string()).optional(),
  /** Absent for steps whose cache cannot be judged. */
  cache: cacheVerdictSchema.optional(),
})
export type SessionStep = z.infer<typeof sessionStepSchema>
