/** A checked definition with parsed templates and schemas, ready for the engine. */
import type { AgentDefinition, Ask, Step } from '../../shared/agents/agent.ts'
import type { JsonOutput } from './json-output.ts'
import type { Expression, StepOutput, Template } from './templates.ts'

/** The last step is the output. Every other step leads to it. */
export interface Graph {
  steps: readonly CompiledStep[]
}

export interface CompiledAsk {
  /** Router, model and parameters from the definition. */
  ask: Ask
  system: Template | null
  user: Template
}

export type Work =
  | { type: 'prompt'; ask: CompiledAsk; json: JsonOutput | null }
  | { type: 'text'; text: Template }
  | {
      type: 'judge'
      candidates: number
      candidate: CompiledAsk
      judge: CompiledAsk
      /** The JSON that a judge in mode `pick` must return; null for `merge`. */
      pick: JsonOutput | null
    }
  | { type: 'agent'; agent: string; input: Template }
  | {
      type: 'branch'
      cases: readonly { when: Expression; graph: Graph }[]
      otherwise: Graph | null
    }
  | { type: 'map'; over: Expression; concurrency: number; maxItems: number; graph: Graph }
  | { type: 'loop'; until: Expression | null; maxIterations: number; graph: Graph }

export interface CompiledStep {
  id: string
  type: Step['type']
  needs: readonly string[]
  skipIf: Expression | null
  timeLimitMs: number | null
  retries: number
  fallback: StepOutput | null
  work: Work
}

/** A step that calls another agent, and its place in the definition. */
export interface AgentCall {
  agent: string
  path: Issue['path']
}

export interface CompiledAgent {
  definition: AgentDefinition
  graph: Graph
  calls: readonly AgentCall[]
}

/** One error of a definition and its place. */
export interface Issue {
  path: readonly (string | number)[]
  message: string
}
