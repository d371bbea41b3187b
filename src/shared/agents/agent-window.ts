/** Agents in the window, and the events of a test run. */
import type { AgentDefinition, Execution, StepTrace } from './agent.ts'
import type { RequestRecord } from '../entities.ts'

/** An error of a definition and its place in the text. Lines and columns count from 1. */
export interface DefinitionIssue {
  line: number
  column: number
  /** Path of the field, such as `steps[2].user`; empty if the error is not about a field. */
  field: string
  message: string
}

/** Figures of the executions in the ledger. Means are over successful ones. */
export interface AgentFigures {
  runs: number
  done: number
  failed: number
  /** Null without a successful execution. */
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
  /** The number of steps, including nested ones. */
  steps: number
  figures: AgentFigures
}

/** An agent with all its versions. */
export interface AgentDetail {
  name: string
  version: number
  source: string
  /** Versions, newest first. */
  versions: readonly { version: number; source: string; createdAtMs: number }[]
}

/** One run with the ledger row of each request, without texts. */
export interface ExecutionDetail {
  execution: Execution
  requests: readonly RequestRecord[]
}

/** One request to a model in a test run. */
export interface StepRequest {
  /** The request's id. */
  id: string
  stepId: string
  /** Milliseconds from the start of the run. */
  startedMs: number
  system: string | null
  user: string
}

/** The result of a request. Unknown values are null. */
export interface StepAnswer {
  id: string
  tookMs: number
  output: string | null
  error: string | null
  model: string | null
  costUsd: number
  carbonGrams: number
  /** The number of attempts. */
  attempts: number
}

/** Messages of a test run's port, in order. */
export type AgentRunEvent =
  | { kind: 'request'; request: StepRequest }
  | { kind: 'answer'; answer: StepAnswer }
  | { kind: 'step'; step: StepTrace }
  /** The last event. `error` is null after success. */
  | { kind: 'end'; execution: Execution | null; output: string | null; error: string | null }
