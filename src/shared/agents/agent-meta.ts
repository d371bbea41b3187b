import type { Execution } from './agent.ts'
import type { AgentMeta } from '../chat/chat.ts'

/** The `_meta` of an execution (the specification, section 2.6). */
export function agentMetaOf(execution: Execution): AgentMeta {
  return {
    execution_id: execution.id,
    agent_name: execution.agent,
    steps_executed: execution.steps,
    total_cost: execution.costNanoUsd / 1e9,
    total_latency: execution.latencyMs ?? 0,
    models_used: execution.models,
  }
}
