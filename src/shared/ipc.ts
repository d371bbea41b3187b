/**
 * The contract between the window and the main process. `ipcCalls` maps each call to the schema of its input
 * and the type of its result. The main process must have a handler for each call (or it does not compile) and
 * checks every input against the schema.
 */
import { chatCalls, type ChatSent } from './chat/chat-calls.ts'
import { previewCalls, type PreviewState } from './chat/code-preview.ts'
import { mcpCalls } from './chat/mcp-calls.ts'
import type { ToolApproval } from './chat/tool-approvals.ts'
import { z } from 'zod'
import type { AppState, EndpointState, LocalModelState, SecretsState } from './app/app-state.ts'
import { agentSlugSchema, type Execution } from './agents/agent.ts'
import type {
  AgentDetail,
  AgentSummary,
  DefinitionIssue,
  ExecutionDetail,
} from './agents/agent-window.ts'
import type { CatalogCheck, CatalogState } from './models/catalog.ts'
import type { ChangedList } from './routers/changed-list.ts'
import type { CommandId } from './app/commands.ts'
import type { ExportedConfiguration } from './app/exported-configuration.ts'
import type { ConnectionState } from './app/connections.ts'
import {
  connectInputSchema,
  type ConnectionProblem,
  type ConnectionStatus,
  type ListedTool,
  type RestoredFiles,
  type SampleCalls,
  type ToolConnection,
  type WrittenFiles,
} from './app/connect.ts'
import type { Conversation } from './chat/conversations.ts'
import {
  apiKeyInputSchema,
  modelInputSchema,
  providerChangesSchema,
  providerInputSchema,
  routerInputSchema,
  type ApiKey,
  type CreatedApiKey,
  type Model,
  type Provider,
  type ProviderTest,
  type RequestRecord,
  type Router,
} from './entities.ts'
import {
  feedbackNameSchema,
  feedbackSchema,
  type Lesson,
  thumbsQuerySchema,
  type Thumbs,
} from './chat/feedback.ts'
import { keyRotationSchema } from './app/key-rotation.ts'
import type { ListedModel } from './models/listed-model.ts'
import type { LocalModelInfo } from './models/local-models.ts'
import { foundCalls } from './models/found-calls.ts'
import type { Preview } from './routers/preview.ts'
import { addedKeySchema } from './models/provider-key.ts'
import type { ProviderType } from './models/provider-type.ts'
import { reconcileCalls } from './requests/reconcile-calls.ts'
import { refusalCalls } from './requests/refusal-calls.ts'
import { sessionCalls } from './requests/session-calls.ts'
import type { RouterChange } from './routers/router-change.ts'
import { draftReplayQuerySchema, type ReplayReport } from './routers/replay.ts'
import type { RequestContent } from './requests/content.ts'
import { requestFilterSchema, requestSearchSchema, type ListedRequest } from './requests/search.ts'
import type { ExplainedRequest } from './requests/detail.ts'
import { portSchema } from './app/setting-schemas.ts'
import { settings, type Settings } from './app/settings.ts'
import { updateSteps, type UpdatesState } from './app/updates.ts'
import { usageReportQuerySchema, type DailyUse, type UsageReport } from './requests/usage.ts'
import { backupInputSchema, type BackupCopy, type BackupList } from './app/backups.ts'
import { quickEntryCalls, type QuickEntryState } from './app/quick-entry.ts'
import type { SecurityCheck } from './app/security-check.ts'
import type { StartState } from './app/start-state.ts'
import { call, nothing, type IpcCall } from './ipc-call.ts'
import { startupInputSchema, type StartupState } from './app/startup.ts'
import { trustChangeSchema, type TrustState } from './app/trust.ts'
import type { TestedProvider } from './tested-provider.ts'
import {
  tuningApplySchema,
  tuningPlanSchema,
  tuningResumeSchema,
  tuningStartSchema,
  type TuningPlan,
  type TuningResult,
  type TuningRun,
} from './tuning/tuning-run.ts'

const id = z.strictObject({ id: z.string().min(1) })
const agentName = z.strictObject({ name: agentSlugSchema })
const source = z.strictObject({ source: z.string().max(1_000_000) })
const localModelName = z.strictObject({ name: z.string().min(1).max(200) })

export const ipcCalls = {
  'app:state': call(nothing).returns<AppState>(),
  /** Binds the endpoint again, to another port if one is given; resolves once it listens or has failed. */
  'endpoint:listen': call(z.strictObject({ port: portSchema.optional() })).returns<EndpointState>(),
  /** Pauses serving, or resumes it; the event `app:state` follows. */
  'endpoint:pause': call(z.strictObject({ isPaused: z.boolean() })).returns<void>(),
  /** Tries the key store again after it was locked, missing or hung. */
  'secrets:retry': call(nothing).returns<SecretsState>(),

  'local-model:choose-file': call(nothing).returns<LocalModelState>(),
  'local-model:download': call(nothing).returns<LocalModelState>(),
  'local-model:retry': call(nothing).returns<LocalModelState>(),

  /** All local models, installed or not; the event `local-models` follows each change. */
  'local-models:list': call(nothing).returns<LocalModelInfo[]>(),
  /** Begins or continues a download, and returns at once. */
  'local-models:download': call(localModelName).returns<void>(),
  'local-models:pause': call(localModelName).returns<void>(),
  /** Deletes a downloaded model; forgets a file that the user added. */
  'local-models:remove': call(localModelName).returns<void>(),
  /** Adds a file that the user chooses in a dialog; null when the dialog was closed. */
  'local-models:add-file': call(nothing).returns<LocalModelInfo | null>(),

  'providers:types': call(nothing).returns<ProviderType[]>(),
  'providers:list': call(nothing).returns<Provider[]>(),
  'providers:add': call(providerInputSchema).returns<Provider>(),
  /** Adds a provider if its test succeeds; stores nothing otherwise. */
  'providers:add-tested': call(providerInputSchema).returns<TestedProvider>(),
  'providers:update': call(
    z.strictObject({ id: z.string().min(1), changes: providerChangesSchema }),
  ).returns<Provider>(),
  'providers:set-key': call(id.extend({ apiKey: z.string().min(1) })).returns<Provider>(),
  'providers:add-key': call(
    z.strictObject({ id: z.string().min(1), key: addedKeySchema }),
  ).returns<Provider>(),
  'providers:remove-key': call(
    z.strictObject({ id: z.string().min(1), name: z.string().min(1) }),
  ).returns<Provider>(),
  'providers:test': call(id).returns<ProviderTest>(),
  'providers:remove': call(id).returns<void>(),
  ...foundCalls,

  /** Models of the catalogue and of the user, and those each provider listed at its last test. */
  'models:list': call(nothing).returns<Model[]>(),
  /** Lists all models, including those of vendors that the user has not added. */
  'models:catalog': call(nothing).returns<ListedModel[]>(),
  'models:save': call(modelInputSchema).returns<Model>(),

  'catalog:state': call(nothing).returns<CatalogState>(),
  /** Downloads the published catalogue and compares it; nothing changes before `catalog:apply`. */
  'catalog:check': call(nothing).returns<CatalogCheck>(),
  'catalog:apply': call(z.strictObject({ token: z.string().min(1) })).returns<CatalogState>(),
  /** Restores the catalogue that came with the program. */
  'catalog:reset': call(nothing).returns<CatalogState>(),

  'routers:list': call(nothing).returns<Router[]>(),
  'routers:create': call(routerInputSchema).returns<Router>(),
  'routers:update': call(
    z.strictObject({ id: z.string().min(1), router: routerInputSchema }),
  ).returns<Router>(),
  'routers:remove': call(id).returns<void>(),
  /** Changes to its settings, the newest first. */
  'routers:changes': call(id).returns<RouterChange[]>(),

  'agents:list': call(nothing).returns<AgentSummary[]>(),
  'agents:get': call(agentName).returns<AgentDetail>(),
  /** The errors in a definition's text; empty when it can be saved. */
  'agents:check': call(source).returns<readonly DefinitionIssue[]>(),
  /**
   * Saves the text as the next version of the agent that it names. `edited` names the agent whose page it is, which is
   * the only one that it may change; empty for a new agent, absent for any.
   */
  'agents:save': call(source.extend({ edited: z.string().optional() })).returns<AgentDetail>(),
  'agents:remove': call(agentName).returns<void>(),
  /** Executions, newest first. */
  'agents:executions': call(
    z.strictObject({ agent: agentSlugSchema, limit: z.int().min(1).max(1000) }),
  ).returns<Execution[]>(),
  /** Null when the ledger no longer has it. */
  'agents:execution': call(id).returns<ExecutionDetail | null>(),
  /** Runs the text as given, saved or not; events stream through a MessagePort. */
  'agents:run': call(
    z.strictObject({
      source: z.string().max(1_000_000),
      routerId: z.string().min(1),
      input: z.string(),
    }),
  ).returns<{ streamId: string }>(),

  'keys:list': call(nothing).returns<ApiKey[]>(),
  'keys:create': call(apiKeyInputSchema).returns<CreatedApiKey>(),
  'keys:revoke': call(id).returns<ApiKey>(),
  /** A new key with the old one's rights, budgets and expiry date. */
  'keys:rotate': call(keyRotationSchema).returns<CreatedApiKey>(),
  /** Whether the clipboard holds a text with this SHA-256. */
  'clipboard:holds': call(z.strictObject({ sha256: z.hash('sha256') })).returns<boolean>(),

  /** Tools that can be connected, and those that cannot, with the reason. */
  'connect:tools': call(nothing).returns<ListedTool[]>(),
  /** All that the user of the tool needs. Its key opens nothing until the next call, or until the files are written. */
  'connect:start': call(connectInputSchema).returns<ToolConnection>(),
  'connect:activate': call(id).returns<void>(),
  /** Sample calls of a router; no key is created. */
  'connect:samples': call(z.strictObject({ routerId: z.string().min(1) })).returns<SampleCalls>(),
  /** Writes the files of a connection as `connect:start` showed them, and keeps copies. */
  'connect:write': call(id).returns<WrittenFiles>(),
  /** Restores the tool's files, and revokes the key that is in them. */
  'connect:undo': call(z.strictObject({ toolId: z.string().min(1) })).returns<RestoredFiles>(),
  /**
   * Whether requests with a key arrive, and what was refused meanwhile. It works for every key. The events
   * `request:finished` and `connection-problems` tell when to read it again.
   */
  'connect:status': call(id).returns<ConnectionStatus>(),
  /** Requests that the endpoint refused in the last hour, newest first. */
  'connect:problems': call(nothing).returns<ConnectionProblem[]>(),

  ...chatCalls,
  ...previewCalls,
  ...quickEntryCalls,
  ...mcpCalls,

  /** Figures of a range of time in buckets and groups, over one or all routers. */
  'usage:report': call(usageReportQuerySchema).returns<UsageReport>(),
  /** The requests of today (UTC) that count against each router's daily limit. */
  'usage:daily': call(nothing).returns<DailyUse[]>(),
  /** The cost, latency and emissions that a router's requests would have had with other settings. */
  'usage:replay': call(draftReplayQuerySchema).returns<ReplayReport>(),
  ...refusalCalls,
  ...sessionCalls,
  ...reconcileCalls,
  /** One request with its decision explained; null when the ledger no longer has it. */
  'requests:explain': call(z.strictObject({ id: z.string() })).returns<ExplainedRequest | null>(),
  /** The texts of a request and its answer; null when the router does not store them. */
  'requests:content': call(z.strictObject({ id: z.string() })).returns<RequestContent | null>(),
  /** The conversation that it belongs to; null for requests from outside the chat window. */
  'requests:conversation': call(id).returns<Conversation | null>(),
  /** The model that another router would choose for the request; nothing is sent. */
  'requests:preview': call(id.extend({ routerId: z.string().min(1) })).returns<Preview>(),

  /** The requests of all routers that match a filter, newest first, and how many there are. */
  'requests:search': call(requestSearchSchema).returns<ListedRequest[]>(),
  'requests:count': call(requestFilterSchema).returns<number>(),

  /** Rates an answer; routers with `adaptive` learn from it. */
  'feedback:give': call(feedbackSchema).returns<Lesson>(),
  'feedback:withdraw': call(feedbackNameSchema).returns<void>(),
  /** The thumbs of these answers. */
  'feedback:thumbs': call(thumbsQuerySchema).returns<Thumbs>(),
  /** Deletes the feedback on a model, for one that its provider changed. */

  /** Plans a tuning run: its requests and cost; nothing is sent. */
  'tuning:plan': call(tuningPlanSchema).returns<TuningPlan>(),
  /** Starts a run; `tuning:progress` follows. */
  'tuning:start': call(tuningStartSchema).returns<TuningRun>(),
  /** No request begins any more; those under way end. */
  'tuning:stop': call(id).returns<TuningRun>(),
  /** Continues a run that was stopped, interrupted or ended by its cap. */
  'tuning:resume': call(tuningResumeSchema).returns<TuningRun>(),
  /** Sets which routers learn from a run. */
  'tuning:apply': call(tuningApplySchema).returns<TuningRun>(),
  /** Runs, newest first, those of the command line too. */
  'tuning:list': call(nothing).returns<TuningRun[]>(),
  /** Null while the run has not ended once. */
  'tuning:result': call(id).returns<TuningResult | null>(),
  /** JSON Lines: the judged prompts, numbers without a word of a prompt. */
  'tuning:export': call(id).returns<string>(),
  /** Deletes a run and what routing learned from it. */
  'tuning:forget': call(id).returns<void>(),

  /** Copies of the database. These and the calls of `start:` work before the service has started. */
  'backups:list': call(nothing).returns<BackupList>(),
  'backups:create': call(nothing).returns<BackupCopy>(),
  /** Asks where to, then copies the database there. Null when the user closed the dialog. */
  'backups:save-as': call(nothing).returns<{ file: string } | null>(),
  /** Shows a copy in the file manager. */
  'backups:reveal': call(backupInputSchema).returns<void>(),
  'backups:remove': call(backupInputSchema).returns<void>(),
  /** Checks a copy, then restarts the service with it; the window loads again. */
  'backups:restore': call(backupInputSchema).returns<void>(),

  'start:state': call(nothing).returns<StartState>(),
  'start:retry': call(nothing).returns<StartState>(),
  /** Opens the data folder in the file manager. */
  'start:open-folder': call(nothing).returns<void>(),
  'start:quit': call(nothing).returns<void>(),
  /** Keeps a damaged database under another name and starts with an empty one. */
  'start:empty': call(nothing).returns<StartState>(),

  /** These two as well, so that a version that cannot start can be left. */
  'updates:state': call(nothing).returns<UpdatesState>(),
  /** Takes a step that the user chose; resolves to the state after it. */
  'updates:step': call(z.strictObject({ step: z.enum(updateSteps) })).returns<UpdatesState>(),

  /** How the app starts with the computer, as the operating system has it now. */
  'startup:get': call(nothing).returns<StartupState>(),
  'startup:change': call(startupInputSchema).returns<StartupState>(),

  /** Sends an example to the webhook for budget alerts. */
  'webhook:test': call(nothing).returns<void>(),

  /** Null before the first start of the service. */
  'trust:state': call(nothing).returns<TrustState | null>(),
  /** Runs the commands of a store that `trust:state` shows. */
  'trust:change': call(trustChangeSchema).returns<TrustState | null>(),

  /** Every connection that Modelport can open, as it is now. */
  'connections:list': call(nothing).returns<ConnectionState[]>(),

  /** Attacks the running service; takes about 12 seconds. */
  'diagnostics:security': call(nothing).returns<SecurityCheck[]>(),
  /** Text to send with a question. */
  'diagnostics:bundle': call(nothing).returns<string>(),

  /** JSON without keys, as `modelport import` reads it, and how many of each it has. */
  'configuration:export': call(nothing).returns<ExportedConfiguration>(),

  'settings:get': call(nothing).returns<Settings>(),
  'settings:set': call(
    z.strictObject({
      name: z.enum(Object.keys(settings) as [keyof Settings]),
      value: z.unknown(),
    }),
  ).returns<Settings>(),
}

export type IpcCalls = typeof ipcCalls
export type IpcCallName = keyof IpcCalls
export type IpcInput<Name extends IpcCallName> = z.input<IpcCalls[Name]['input']>
export type IpcOutput<Name extends IpcCallName> =
  IpcCalls[Name] extends IpcCall<z.ZodType, infer Result> ? Result : never

/** `ipcRenderer.invoke` loses everything about an error except its text, so errors are sent as values. */
export type IpcAnswer<Name extends IpcCallName> =
  | { ok: true; value: IpcOutput<Name> }
  | { ok: false; error: IpcFailure }

export interface IpcFailure {
  code: string
  message: string
  /** The invalid field of the input, if there is one. */
  field: string | null
}

/** Events that the main process sends to the window. */
export interface IpcEvents {
  'app:state': AppState
  /** Sent when something in these lists changed; the window reads them again. */
  changed: { what: ChangedList }
  /** A request ended; charts of its router add it. */
  'request:finished': RequestRecord
  /** The endpoint refused connections or requests; all of the last hour, newest first. */
  'connection-problems': readonly ConnectionProblem[]
  /** Questions about tools that turns wait for, oldest first. */
  'tool-approvals': readonly ToolApproval[]
  /** A tuning run of the app began, moved on or ended. */
  'tuning:progress': TuningRun
  /** A download moved on, or the list of local models changed. */
  'local-models': LocalModelInfo[]
  /** The clock was set, or the computer woke up. */
  clock: null
  /** Another window stored an unsent message. */
  draft: IpcInput<'chat:save-draft'>
  /** Another window asked for an answer, whose port follows. */
  'answer-begun': ChatSent
  'quick-entry': QuickEntryState
  /** The quick entry is shown again. */
  'quick-entry-shown': null
  /** What happens to the preview of code that is open. */
  preview: PreviewState
  start: StartState
  updates: UpdatesState
  /** The main process wants this page shown, such as `/models`. */
  'open-page': { path: string }
  /** A command of the application menu was chosen. */
  command: { id: CommandId }
  /** Sent when something needs the user's action, such as a provider's rejected key. The window has a banner for some. */
  alarm: { message: string; providerId: string | null; hasBanner?: boolean }
}
export type IpcEventName = keyof IpcEvents

/** The `window.postMessage` message with which the preload hands over a stream's port. */
export interface StreamPortMessage {
  kind: 'modelport:stream'
  streamId: string
}

/** The API that the preload exposes as `window.modelport`. */
export interface ModelportBridge {
  call<Name extends IpcCallName>(name: Name, input: IpcInput<Name>): Promise<IpcAnswer<Name>>
  on<Name extends IpcEventName>(
    name: Name,
    listener: (payload: IpcEvents[Name]) => void,
  ): () => void
}
