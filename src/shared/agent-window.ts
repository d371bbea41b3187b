/** What the window shows of agents, and the events of a test run. */
import type { AgentDefinition, Execution, StepTrace } from './agent.ts'
import type { RequestRecord } from './entities.ts'

/** What is wrong with a definition, with its place in the text; lines and columns count from 1. */
export interface DefinitionFault {
  line: number
  column: number
  /** `steps[2].user`; empty where it is about no field. */
  field: string
  message: string
}

/** Of the executions the ledger still has; means are of those that were done. */
export interface AgentFigures {
  runs: number
  done: number
  failed: number
  /** Null where none was done. */
  costUsdMean: number | null
  latencyMsMean: number | null
  carbonGramsMean: number | null
  lastRunAtMs: number | null
}

export interface AgentSummary {
  name: AgentDefinition['name']
  description: string
  version: number
  updatedAtMs: number
  /** Steps, those in steps counted too. */
  steps: number
  figures: AgentFigures
}

/** An agent with every version there was of it. */
export interface AgentDetail {
  name: string
  version: number
  source: string
  /** Newest first. */
  versions: readonly { version: number; source: string; createdAtMs: number }[]
}

/** One run with the ledger's row of each request; the texts are not kept. */
export interface ExecutionDetail {
  execution: Execution
  requests: readonly RequestRecord[]
}

/** One request to a model, as a test run tells of it. */
export interface AskedStep {
  /** The request's. */
  id: string
  stepId: string
  /** From the start of the run. */
  startedMs: number
  system: string | null
  user: string
}

/** How it ended. What is unknown is null. */
export interface AnsweredStep {
  id: string
  tookMs: number
  output: string | null
  error: string | null
  model: string | null
  costUsd: number
  carbonGrams: number
  /** How often a model was tried. */
  attempts: number
}

/** Messages of the port a test run streams through, in their order. */
export type AgentRunEvent =
  | { kind: 'asked'; ask: AskedStep }
  | { kind: 'answered'; answer: AnsweredStep }
  | { kind: 'step'; step: StepTrace }
  /** The last one. `error` is null where it was done. */
  | { kind: 'end'; execution: Execution | null; output: string | null; error: string | null }
