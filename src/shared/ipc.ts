/**
 * The contract between the window and the main process. `ipcCalls` maps each call to the schema of
 * its input and the type of its result; the main process must have a handler for every one of them
 * (or it does not compile) and checks every input against the schema.
 */
import { z } from 'zod'
import { agentSlugSchema, type Execution } from './agent.ts'
import type { AgentDetail, AgentSummary, DefinitionFault, ExecutionDetail } from './agent-window.ts'
import type { CatalogCheck, CatalogState } from './catalog.ts'
import {
  apiKeyInputSchema,
  modelIdSchema,
  modelInputSchema,
  providerInputSchema,
  routerInputSchema,
  type ApiKey,
  type Conversation,
  type ConversationMessage,
  type CreatedApiKey,
  type Model,
  type Provider,
  type ProviderTest,
  type RequestRecord,
  type Router,
  type UsageBucket,
} from './entities.ts'
import { feedbackNameSchema, feedbackSchema, thumbsQuerySchema, type Thumbs } from './feedback.ts'
import type { ProviderType } from './provider-type.ts'
import { replayQuerySchema, type ReplayReport } from './replay.ts'
import type { RequestContent } from './request-content.ts'
import type { ExplainedRequest } from './request-detail.ts'
import { portSchema, settings, type Settings } from './settings.ts'

/** Whether the HTTPS endpoint answers, and where; the window works either way. */
export type EndpointState =
  | { status: 'starting' }
  | {
      status: 'listening'
      /** `https://localhost:6778` */
      url: string
      httpUrl: string | null
      /** Our certificate authority alone: `NODE_EXTRA_CA_CERTS`, `curl --cacert`. */
      caFile: string
      /** The system's roots and ours: `SSL_CERT_FILE`, `REQUESTS_CA_BUNDLE`. */
      caBundleFile: string
    }
  | { status: 'failed'; problem: 'port_taken' | 'error'; message: string; freePort: number | null }

/** Where provider keys are kept, and whether that place works; `message` is for a person. */
export interface SecretsState {
  backend: 'keychain' | 'vault' | 'session'
  state: 'ready' | 'locked' | 'missing' | 'hung'
  message: string
}

/** The built-in local model. */
export type LocalModelState =
  | { status: 'missing'; downloadBytes: number }
  | { status: 'downloading'; receivedBytes: number; totalBytes: number }
  | { status: 'stopped'; file: string }
  | { status: 'loading'; file: string }
  | { status: 'ready'; file: string; threads: number }
  | { status: 'failed'; file: string | null; message: string }

export interface AppState {
  version: string
  dataDir: string
  endpoint: EndpointState
  secrets: SecretsState
  localModel: LocalModelState
  /** Web origins that were refused since the start, newest first. */
  refusedOrigins: readonly string[]
}

export interface ChatSent {
  conversation: Conversation
  question: ConversationMessage
  answer: ConversationMessage
  /** Names the MessagePort that follows by `window.postMessage`. */
  streamId: string
}

const id = z.strictObject({ id: z.string().min(1) })
const agentName = z.strictObject({ name: agentSlugSchema })
const source = z.strictObject({ source: z.string().max(1_000_000) })
const nothing = z.undefined()

function call<Input extends z.ZodType>(input: Input) {
  return { returns: <Result>() => ({ input }) as IpcCall<Input, Result> }
}

interface IpcCall<Input extends z.ZodType, Result> {
  input: Input
  /** Only a type: no value is ever there. */
  result?: Result
}

export const ipcCalls = {
  'app:state': call(nothing).returns<AppState>(),
  /** Binds the endpoint again, on another port when given; resolves once it listens or failed. */
  'endpoint:listen': call(z.strictObject({ port: portSchema.optional() })).returns<EndpointState>(),
  /** Tries the key store again after it was locked, missing or hung. */
  'secrets:retry': call(nothing).returns<SecretsState>(),

  'local-model:choose-file': call(nothing).returns<LocalModelState>(),
  'local-model:download': call(nothing).returns<LocalModelState>(),
  'local-model:retry': call(nothing).returns<LocalModelState>(),

  'providers:types': call(nothing).returns<ProviderType[]>(),
  'providers:list': call(nothing).returns<Provider[]>(),
  'providers:add': call(providerInputSchema).returns<Provider>(),
  'providers:set-key': call(
    z.strictObject({ id: z.string().min(1), apiKey: z.string().min(1) }),
  ).returns<Provider>(),
  'providers:test': call(id).returns<ProviderTest>(),
  'providers:remove': call(id).returns<void>(),

  /** Models of the catalogue, of the user, and those a provider listed when it was last tested. */
  'models:list': call(nothing).returns<Model[]>(),
  'models:save': call(modelInputSchema).returns<Model>(),

  'catalog:state': call(nothing).returns<CatalogState>(),
  /** Downloads what is published now and compares; nothing changes before `catalog:apply`. */
  'catalog:check': call(nothing).returns<CatalogCheck>(),
  'catalog:apply': call(z.strictObject({ token: z.string().min(1) })).returns<CatalogState>(),
  /** Back to what came with the program. */
  'catalog:reset': call(nothing).returns<CatalogState>(),

  'routers:list': call(nothing).returns<Router[]>(),
  'routers:create': call(routerInputSchema).returns<Router>(),
  'routers:update': call(
    z.strictObject({ id: z.string().min(1), router: routerInputSchema }),
  ).returns<Router>(),
  'routers:remove': call(id).returns<void>(),

  'agents:list': call(nothing).returns<AgentSummary[]>(),
  'agents:get': call(agentName).returns<AgentDetail>(),
  /** What is wrong with a definition's text; nothing where it could be saved. */
  'agents:check': call(source).returns<readonly DefinitionFault[]>(),
  /** Makes the text the next version of the agent it names. */
  'agents:save': call(source).returns<AgentDetail>(),
  'agents:remove': call(agentName).returns<void>(),
  /** Newest first. */
  'agents:executions': call(
    z.strictObject({ agent: agentSlugSchema, limit: z.int().min(1).max(1000) }),
  ).returns<Execution[]>(),
  /** Null where the ledger has it no more. */
  'agents:execution': call(id).returns<ExecutionDetail | null>(),
  /** Runs the text as it is, saved or not; what happens streams through a MessagePort. */
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

  'conversations:list': call(nothing).returns<Conversation[]>(),
  'conversations:messages': call(id).returns<ConversationMessage[]>(),
  'conversations:rename': call(
    z.strictObject({ id: z.string().min(1), title: z.string().trim().min(1).max(200) }),
  ).returns<Conversation>(),
  'conversations:remove': call(id).returns<void>(),

  /** Without a conversation id a new one begins. The answer streams through a MessagePort. */
  'chat:send': call(
    z.strictObject({
      conversationId: z.string().min(1).nullable(),
      routerId: z.string().min(1),
      /** Null: the router chooses a model. */
      agent: agentSlugSchema.nullable().default(null),
      text: z.string().min(1),
    }),
  ).returns<ChatSent>(),

  /** Asks the last question again, of a model of the router; streams as `chat:send` does. */
  'chat:again': call(
    z.strictObject({
      conversationId: z.string().min(1),
      routerId: z.string().min(1),
      model: modelIdSchema,
      /** The answers there are stay beside the new one; else they are set aside for it. */
      isBeside: z.boolean(),
    }),
  ).returns<ChatSent>(),
  /** Keeps this one of the answers to its question; gives the thread as it is then. */
  'chat:keep': call(
    z.strictObject({ conversationId: z.string().min(1), answerId: z.string().min(1) }),
  ).returns<ConversationMessage[]>(),

  'usage:buckets': call(
    z.strictObject({
      routerId: z.string().min(1).optional(),
      sinceMs: z.int(),
      bucketMs: z.int().min(1000),
    }),
  ).returns<UsageBucket[]>(),
  /** What a router's requests would have cost, taken and emitted under another strategy. */
  'usage:replay': call(replayQuerySchema).returns<ReplayReport>(),
  /** One request with its decision in words; null where the ledger has it no more. */
  'requests:explain': call(z.strictObject({ id: z.string() })).returns<ExplainedRequest | null>(),
  /** What was asked and answered; null where the router does not keep it. */
  'requests:content': call(z.strictObject({ id: z.string() })).returns<RequestContent | null>(),
  'requests:list': call(
    z.strictObject({
      routerId: z.string().min(1).optional(),
      limit: z.int().min(1).max(1000),
    }),
  ).returns<RequestRecord[]>(),

  /** Whether an answer was good; routers with `adaptive` learn from it. */
  'feedback:give': call(feedbackSchema).returns<void>(),
  'feedback:withdraw': call(feedbackNameSchema).returns<void>(),
  /** The thumbs these answers were given. */
  'feedback:thumbs': call(thumbsQuerySchema).returns<Thumbs>(),
  /** Of a model that its provider changed. */
  'feedback:forget': call(z.strictObject({ modelId: z.string().min(1) })).returns<void>(),

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

/** `ipcRenderer.invoke` loses everything of an error but its text, so errors travel as values. */
export type IpcAnswer<Name extends IpcCallName> =
  | { ok: true; value: IpcOutput<Name> }
  | { ok: false; error: IpcFailure }

export interface IpcFailure {
  code: string
  message: string
  /** The field of the input that is wrong, where one is. */
  field: string | null
}

/** What the main process tells the window unasked. */
export interface IpcEvents {
  'app:state': AppState
  /** Something in these lists changed; the window reads them again. */
  changed: {
    what: 'providers' | 'models' | 'routers' | 'agents' | 'keys' | 'conversations' | 'settings'
  }
  /** A request ended; charts of its router add it. */
  'request:finished': RequestRecord
  /** Something the user must act on, such as a provider's rejected key. */
  alarm: { message: string; providerId: string | null }
}
export type IpcEventName = keyof IpcEvents

/** Messages of the port an answer streams through; closing the port only detaches, `stop` aborts. */
export type ChatStreamEvent =
  | { kind: 'delta'; text: string }
  | { kind: 'end'; answer: ConversationMessage; conversation: Conversation }
/** What the window says to a stream of either kind. */
export interface StreamCommand {
  kind: 'stop'
}

/** `window.postMessage` form by which the preload hands over a stream's port. */
export interface StreamPortMessage {
  kind: 'modelport:stream'
  streamId: string
}

/** What the preload puts on `window.modelport`. */
export interface ModelportBridge {
  call<Name extends IpcCallName>(name: Name, input: IpcInput<Name>): Promise<IpcAnswer<Name>>
  on<Name extends IpcEventName>(
    name: Name,
    listener: (payload: IpcEvents[Name]) => void,
  ): () => void
}
