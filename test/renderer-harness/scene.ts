/** The data of the fake service. */
import type { AgentDetail } from '../../src/shared/agent-window.ts'
import type { Execution } from '../../src/shared/agent.ts'
import type {
  ApiKey,
  Conversation,
  ConversationMessage,
  Model,
  Provider,
  RequestRecord,
  Router,
} from '../../src/shared/entities.ts'
import type { AppState } from '../../src/shared/app-state.ts'
import type { LocalModelInfo } from '../../src/shared/local-models.ts'
import type { Settings } from '../../src/shared/settings.ts'
import type { StartState } from '../../src/shared/start-state.ts'
import type { StartupState } from '../../src/shared/startup.ts'
import type { UpdatesState } from '../../src/shared/updates.ts'

export interface Scene {
  app: AppState
  localModels: LocalModelInfo[]
  settings: Settings
  start: StartState
  startup: StartupState
  updates: UpdatesState
  providers: Provider[]
  models: Model[]
  routers: Router[]
  agents: AgentDetail[]
  /** Newest first. */
  executions: Execution[]
  /** The rows of an execution's steps, by its id. */
  steps: Record<string, RequestRecord[]>
  keys: ApiKey[]
  conversations: Conversation[]
  messages: Record<string, ConversationMessage[]>
  requests: RequestRecord[]
}
