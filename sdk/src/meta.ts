/** `_meta`: what an answer cost, how long it took, and which model gave it. */
import type { AgentDecisionRecord, RouterDecisionRecord } from './decision.ts'

/** The strategies of this version, and `pinned` for a request that names its model. */
export const routerDecisions = [
  'cost_optimized',
  'latency_optimized',
  'quality_optimized',
  'carbon_optimized',
  'balanced',
  'adaptive',
  'priority',
  'pinned',
] as const

/** One of `routerDecisions`, or the name of a strategy that a newer Modelport has. */
export type RouterDecision = (typeof routerDecisions)[number] | (string & {})

/** `_meta` of an answer that a router chose a model for. */
export interface RouterMeta {
  /** `<provider>:<model_name>` of the model that answered. */
  modelUsed: string
  /** US dollars. */
  cost: number
  /** Milliseconds. */
  latencyMs: number
  /** Grams of CO2e. */
  carbonGrams: number
  /** The strategy that chose the model. */
  routerDecision: RouterDecision
  /** Decision; only with `explain`. */
  decision?: RouterDecisionRecord
}

/** `_meta` of an agent's answer. */
export interface AgentMeta {
  execution_id: string
  agent_name: string
  /** Requests to models. */
  steps_executed: number
  /** US dollars, the sum of all steps. */
  total_cost: number
  /** Milliseconds, from the request to its last token. */
  total_latency: number
  /** `<provider>:<model_name>`, each once. */
  models_used: string[]
  /** Decision; only with `explain`. */
  decision?: AgentDecisionRecord
}

export type Meta = RouterMeta | AgentMeta

/** `_meta` of the answer to a request for `Model`: an agent's for `agent:<name>`, else a router's. */
export type MetaFor<Model> = [Model] extends [`agent:${string}`]
  ? AgentMeta
  : [string] extends [Model]
    ? Meta
    : RouterMeta

/**
 * `_meta` of any answer, also where OpenAI's types do not have it: completions, chunks, Responses, embeddings.
 * In streams it is on the last chunk, or on the `response` of `response.completed`.
 * @returns null for an answer without it
 */
export function metaOf(answer: object): Meta | null {
  const meta: unknown = '_meta' in answer ? answer._meta : null
  // Checked boundary: Modelport always sends all fields of one of the two forms.
  return typeof meta === 'object' && meta !== null ? (meta as Meta) : null
}

export function isAgentMeta(meta: Meta): meta is AgentMeta {
  return 'execution_id' in meta
}
