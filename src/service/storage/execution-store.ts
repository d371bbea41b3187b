import type { Execution } from '../../shared/agents/agent.ts'
import type { AgentFigures } from '../../shared/agents/agent-window.ts'

/** Executions of agents; the rows of their steps are in the ledger. */
export interface ExecutionStore {
  /** Stores an execution durably before its first step is sent, so that none is lost. */
  begin(execution: Execution, lease: ExecutionLease): Promise<void>
  end(execution: Execution): Promise<void>
  /** Whether any process runs one, or ended while it ran one. */
  areRunning(): Promise<boolean>
  /** Extends the lease of all running executions of its holder. */
  renewLeases(lease: ExecutionLease): Promise<void>
  get(id: string): Promise<Execution | null>
  /** Executions, newest first. */
  list(query: { agent?: string | undefined; limit: number }): Promise<Execution[]>
  /** The figures of all agents that have stored executions. */
  figures(): Promise<({ agent: string } & AgentFigures)[]>
  /**
   * Running executions whose lease expired become `interrupted`, with the sum of their steps' rows.
   * @returns how many there were
   */
  interruptExpired(nowMs: number): Promise<number>
}

/** The process that runs an execution; once it has ended, it no longer renews its lease. */
export interface ExecutionLease {
  holder: string
  /** Unix ms. */
  expiresAtMs: number
}
