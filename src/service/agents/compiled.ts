/** A definition as the engine runs it: checked, its templates and schemas parsed. */
import type { AgentDefinition, Ask, Step } from '../../shared/agent.ts'
import type { JsonOutput } from './json-output.ts'
import type { Expression, StepOutput, Template } from './templates.ts'

/** The last step is the output; every other leads to it. */
export interface Graph {
  steps: readonly CompiledStep[]
}

export interface CompiledAsk {
  /** Router, model and limits as they were written. */
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
      /** What a judge that picks has to answer; null for one that merges. */
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

/** A step that calls another agent, and where it stands. */
export interface AgentCall {
  agent: string
  path: Fault['path']
}

export interface CompiledAgent {
  definition: AgentDefinition
  graph: Graph
  calls: readonly AgentCall[]
}

/** What is wrong with a definition, and where. */
export interface Fault {
  path: readonly (string | number)[]
  message: string
}
