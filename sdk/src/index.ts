/** The public surface of `@modelport/sdk`. Everything else comes from `openai`. */
export { Modelport, type ModelportOptions } from './modelport.ts'
export {
  type AgentChunk,
  type AgentCompletion,
  type AgentInput,
  type AgentOptions,
  type Agents,
} from './agents.ts'
export {
  type Chat,
  type ChatCompletion,
  type ChatCompletionChunk,
  type ChatCompletions,
  type ChatParams,
  type ChatStreamParams,
} from './chat.ts'
export {
  type AgentDecisionRecord,
  type Attempt,
  type Estimate,
  type ExcludedModel,
  type RankedModel,
  type RouterDecisionRecord,
} from './decision.ts'
export { errorCodes, isModelportError, type ErrorCode, type ModelportError } from './errors.ts'
export {
  isAgentMeta,
  metaOf,
  routerDecisions,
  type AgentMeta,
  type Meta,
  type MetaFor,
  type RouterDecision,
  type RouterMeta,
} from './meta.ts'
