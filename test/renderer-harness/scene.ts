/** The data of the fake service. */
import type { AgentDetail } from '../../src/shared/agents/agent-window.ts'
import type { Execution } from '../../src/shared/agents/agent.ts'
import type { Conversation, ConversationMessage } from '../../src/shared/chat/conversations.ts'
import type { ApiKey, Model, Provider, RequestRecord, Router } from '../../src/shared/entities.ts'
import type { AppState } from '../../src/shared/app/app-state.ts'
import type { LocalModelInfo } from '../../src/shared/models/local-models.ts'
import type { Settings } from '../../src/shared/app/settings.ts'
import type { StartState } from '../../src/shared/app/start-state.ts'
import type { StartupState } from '../../src/shared/app/startup.ts'
import type { UpdatesState } from '../../src/shared/app/updates.ts'

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
  /** Executions, newest first. */
  executions: Execution[]
  /** The rows of an execution's steps, by its id. */
  steps: Record<string, RequestRecord[]>
  keys: ApiKey[]
  conversations: Conversation[]
  messages: Record<string, ConversationMessage[]>
  requests: RequestRecord[]
}
