import type { AgentMeta, RouterMeta } from '../../../shared/chat/chat.ts'
import type { ExecutionFigures, ExplainedExecution } from '../../agents/agent-call.ts'
import { metaOf, type AnswerFigures } from '../../chat/chat-call.ts'

interface ExplainedAgentMeta extends AgentMeta {
  decision: ExplainedExecution
}

/** `_meta` on the wire: a router's or an agent's fields, and the decision when the caller requested it. */
export function sentMeta(
  figures: AnswerFigures | ExecutionFigures,
  isExplained: boolean,
): RouterMeta | AgentMeta {
  if (!isOfExecution(figures)) return metaOf(figures, isExplained)
  const { meta, explain } = figures
  if (!isExplained) return meta
  const explained: ExplainedAgentMeta = { ...meta, decision: explain() }
  return explained
}

function isOfExecution(figures: AnswerFigures | ExecutionFigures): figures is ExecutionFigures {
  return 'execution_id' in figures.meta
}
