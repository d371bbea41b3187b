/**
 * A pretended main process: answers every call from a scene in memory and streams made-up answers,
 * so that the window can be looked at and its stores tested without Electron.
 */
import type { ConversationMessage, RequestRecord, UsageBucket } from '../../src/shared/entities.ts'
import {
  ipcCalls,
  type ChatStreamCommand,
  type ChatStreamEvent,
  type IpcAnswer,
  type IpcCallName,
  type IpcEventName,
  type IpcEvents,
  type IpcFailure,
  type IpcInput,
  type IpcOutput,
  type ModelportBridge,
} from '../../src/shared/ipc.ts'
import { key, message, provider, type Scene } from './scenes.ts'

/** What a call is refused with; thrown by the handlers below. */
class Refusal extends Error {
  readonly failure: IpcFailure

  constructor(code: string, text: string, field: string | null = null) {
    super(text)
    this.failure = { code, message: text, field }
  }
}

export interface FakeBridge extends ModelportBridge {
  /** Tells the window something, as the main process would. */
  emit<Name extends IpcEventName>(name: Name, payload: IpcEvents[Name]): void
  scene: Scene
}

type Handlers = {
  [Name in IpcCallName]: (input: IpcInput<Name>) => IpcOutput<Name> | Promise<IpcOutput<Name>>
}

/** How a stream's port reaches the window. */
export interface PortReceiver {
  postMessage(message: unknown, targetOrigin: string, transfer: Transferable[]): void
}

export function createFakeBridge(scene: Scene, receiver: PortReceiver): FakeBridge {
  const listeners = new Map<IpcEventName, Set<(payload: never) => void>>()
  const bridge: FakeBridge = {
    scene,
    emit(name, payload) {
      for (const listener of listeners.get(name) ?? []) listener(payload as never)
    },
    on(name, listener) {
      const heard = listeners.get(name) ?? new Set()
      listeners.set(name, heard.add(listener))
      return () => void heard.delete(listener)
    },
    async call<Name extends IpcCallName>(name: Name, input: IpcInput<Name>) {
      return answer(handlers, name, input)
    },
  }
  const handlers: Handlers = {
    ...serviceHandlers(scene),
    ...dashboardHandlers(scene),
    ...chatHandlers(bridge, receiver),
  }
  return bridge
}

async function answer<Name extends IpcCallName>(
  handlers: Handlers,
  name: Name,
  input: IpcInput<Name>,
): Promise<IpcAnswer<Name>> {
  const checked = ipcCalls[name].input.safeParse(input)
  if (!checked.success) {
    const issue = checked.error.issues[0]
    const field = issue?.path.join('.') || null
    return { ok: false, error: { code: 'invalid', message: issue?.message ?? 'invalid', field } }
  }
  try {
    return { ok: true, value: structuredClone(await handlers[name](input)) }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: error.failure }
    throw error
  }
}

type ChatCall = Extract<IpcCallName, `conversations:${string}` | `chat:${string}`>
type ServiceCall = Extract<
  IpcCallName,
  `app:${string}` | `endpoint:${string}` | `secrets:${string}` | `local-model:${string}`
>

function serviceHandlers(scene: Scene): Pick<Handlers, ServiceCall> {
  return {
    'app:state': () => scene.app,
    'endpoint:listen': ({ port = 6778 }) => {
      scene.app.endpoint = {
        status: 'listening',
        url: `https://localhost:${port}`,
        httpUrl: null,
        caFile: '/home/user/.local/share/modelport/ca.pem',
        caBundleFile: '/home/user/.local/share/modelport/ca-bundle.pem',
      }
      return scene.app.endpoint
    },
    'secrets:retry': () => scene.app.secrets,
    'local-model:choose-file': () => {
      throw new Refusal('invalid', 'That file is not a GGUF model.')
    },
    'local-model:download': () => {
      scene.app.localModel = {
        status: 'downloading',
        receivedBytes: 31_000_000,
        totalBytes: 94_371_840,
      }
      return scene.app.localModel
    },
    'local-model:retry': () => scene.app.localModel,
  }
}

function dashboardHandlers(scene: Scene): Omit<Handlers, ChatCall | ServiceCall> {
  return {
    'providers:types': () => [
      {
        type: 'openai',
        name: 'OpenAI',
        baseUrl: 'https://api.openai.com/v1',
        keyRule: 'required',
        keyUrl: 'https://platform.openai.com/api-keys',
      },
      {
        type: 'openai-compatible',
        name: 'OpenAI-compatible server',
        baseUrl: null,
        keyRule: 'optional',
        keyUrl: null,
      },
      { type: 'local', name: 'Built-in local model', baseUrl: null, keyRule: 'none', keyUrl: null },
    ],
    'providers:list': () => scene.providers,
    'providers:add': ({ id, type, apiKey }) => {
      if (scene.providers.some((old) => old.id === id)) {
        throw new Refusal('conflict', `There is a provider named ${id} already.`, 'id')
      }
      if (type === 'openai' && !apiKey) {
        throw new Refusal('invalid', 'OpenAI needs a key.', 'apiKey')
      }
      const added = provider(id, type, type)
      scene.providers.push(added)
      return added
    },
    'providers:set-key': ({ id }) => found(scene.providers, id),
    'providers:test': ({ id }) => ({ ok: true, latencyMs: 231, models: [`${id}:a`, `${id}:b`] }),
    'providers:remove': ({ id }) => {
      const user = scene.routers.find(({ models }) => models.some((m) => m.startsWith(`${id}:`)))
      if (user) throw new Refusal('in_use', `The router ${user.name} uses a model of ${id}.`)
      scene.providers = scene.providers.filter((old) => old.id !== id)
    },
    'models:list': () => scene.models,
    'models:save': (input) => {
      const saved = { ...found(scene.models, input.id), ...input, priceSource: { kind: 'user' } }
      // `optional` fields of the input are absent here, which the spread's type cannot say.
      const model = saved as Scene['models'][number]
      scene.models = scene.models.map((old) => (old.id === model.id ? model : old))
      return model
    },
    'routers:list': () => scene.routers,
    'routers:create': (input) => {
      const router = {
        ...ipcCalls['routers:create'].input.parse(input),
        id: `router_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`,
        createdAtMs: Date.now(),
        updatedAtMs: Date.now(),
      }
      scene.routers.push(router)
      return router
    },
    'routers:update': (input) => {
      const { id, router } = ipcCalls['routers:update'].input.parse(input)
      const updated = { ...found(scene.routers, id), ...router, updatedAtMs: Date.now() }
      scene.routers = scene.routers.map((old) => (old.id === id ? updated : old))
      return updated
    },
    'routers:remove': ({ id }) => {
      scene.routers = scene.routers.filter((old) => old.id !== id)
    },
    'keys:list': () => scene.keys,
    'keys:create': (input) => {
      const apiKey = key(input.name, {
        ...ipcCalls['keys:create'].input.parse(input),
        createdAtMs: Date.now(),
        lastUsedAtMs: null,
      })
      scene.keys.unshift(apiKey)
      return { key: `mp_${'pretended'.repeat(4)}`, apiKey }
    },
    'keys:revoke': ({ id }) => {
      const revoked = found(scene.keys, id)
      revoked.revokedAtMs = Date.now()
      return revoked
    },
    'usage:buckets': ({ routerId, sinceMs, bucketMs }) =>
      bucketsOf(
        scene.requests.filter((r) => r.routerId === routerId && r.startedAtMs >= sinceMs),
        bucketMs,
      ),
    'requests:list': ({ routerId, limit }) =>
      scene.requests
        .filter((request) => request.routerId === routerId)
        .toSorted((a, b) => b.startedAtMs - a.startedAtMs)
        .slice(0, limit),
    'settings:get': () => scene.settings,
    'settings:set': ({ name, value }) => {
      scene.settings = { ...scene.settings, [name]: value }
      return scene.settings
    },
  }
}

function chatHandlers(bridge: FakeBridge, receiver: PortReceiver): Pick<Handlers, ChatCall> {
  const { scene } = bridge
  return {
    'conversations:list': () => scene.conversations,
    'conversations:messages': ({ id }) => scene.messages[id] ?? [],
    'conversations:rename': ({ id, title }) => {
      const renamed = found(scene.conversations, id)
      renamed.title = title
      return renamed
    },
    'conversations:remove': ({ id }) => {
      scene.conversations = scene.conversations.filter((old) => old.id !== id)
    },
    'chat:send': ({ conversationId, routerId, text }) => {
      if (text === 'refuse')
        throw new Refusal('daily_limit_exceeded', 'The daily limit is reached.')
      const id = conversationId ?? crypto.randomUUID()
      const conversation = scene.conversations.find((old) => old.id === id) ?? {
        id,
        title: text.slice(0, 40),
        routerId,
        createdAtMs: Date.now(),
        updatedAtMs: Date.now(),
      }
      if (!conversationId) scene.conversations.unshift(conversation)
      const question = message('user', text)
      const reply: ConversationMessage = { ...message('assistant', ''), state: 'streaming' }
      scene.messages[id] = [...(scene.messages[id] ?? []), question, reply]
      const streamId = crypto.randomUUID()
      const { port1, port2 } = new MessageChannel()
      receiver.postMessage({ kind: 'modelport:stream', streamId }, '*', [port2])
      stream({ bridge, port: port1, reply, conversation, routerId, text })
      return { conversation, question, answer: { ...reply }, streamId }
    },
  }
}

interface Streaming {
  bridge: FakeBridge
  port: MessagePort
  reply: ConversationMessage
  conversation: Scene['conversations'][number]
  routerId: string
  text: string
}

/** Sends the question back word by word; "fail" fails midway. */
function stream({ bridge, port, reply, conversation, routerId, text }: Streaming): void {
  const words = `You wrote: **${text}**. ${'And so on and on. '.repeat(12)}`.split(/(?<= )/)
  const startedAtMs = Date.now()
  let isStopped = false
  port.onmessage = ({ data }: MessageEvent<ChatStreamCommand>) => {
    isStopped = data.kind === 'stop'
  }
  function end(state: 'complete' | 'stopped' | 'failed'): void {
    const request = finishedRequest(bridge.scene, routerId, startedAtMs)
    reply.state = state
    if (state === 'failed') reply.error = 'The model process ended in the middle of the answer.'
    else bridge.scene.requests.push(request)
    reply.meta =
      state === 'failed'
        ? null
        : {
            requestId: request.id,
            modelUsed: request.modelUsed ?? '',
            costUsd: request.costNanoUsd / 1e9,
            latencyMs: request.latencyMs,
            carbonGrams: request.carbonGrams,
            routerDecision: request.routerDecision,
          }
    port.postMessage({ kind: 'end', answer: reply, conversation } satisfies ChatStreamEvent)
    if (state !== 'failed') bridge.emit('request:finished', request)
  }
  function next(): void {
    if (isStopped) return end('stopped')
    if (text.startsWith('fail') && words.length < 40) return end('failed')
    const word = words.shift()
    if (word === undefined) return end('complete')
    reply.text += word
    port.postMessage({ kind: 'delta', text: word } satisfies ChatStreamEvent)
    setTimeout(next, text.startsWith('slow') ? 60 : 4)
  }
  setTimeout(next, 20)
}

function finishedRequest(scene: Scene, routerId: string, startedAtMs: number): RequestRecord {
  return {
    id: crypto.randomUUID(),
    routerId,
    apiKeyId: null,
    source: 'chat',
    startedAtMs,
    status: 200,
    errorCode: null,
    modelUsed: found(scene.routers, routerId).models[0] ?? null,
    routerDecision: found(scene.routers, routerId).strategy,
    isStreamed: true,
    attempts: 1,
    reportedPromptTokens: 12,
    reportedCompletionTokens: 40,
    estimatedPromptTokens: null,
    estimatedCompletionTokens: null,
    costNanoUsd: 0,
    latencyMs: Date.now() - startedAtMs,
    firstTokenMs: 20,
    carbonGrams: 0.000_42,
  }
}

function bucketsOf(requests: readonly RequestRecord[], bucketMs: number): UsageBucket[] {
  const buckets = new Map<number, RequestRecord[]>()
  for (const request of requests) {
    const startMs = Math.floor(request.startedAtMs / bucketMs) * bucketMs
    buckets.set(startMs, [...(buckets.get(startMs) ?? []), request])
  }
  return [...buckets].map(([startMs, rows]) => ({
    startMs,
    requests: rows.length,
    errors: 0,
    costUsd: sum(rows.map(({ costNanoUsd }) => costNanoUsd / 1e9)),
    latencyMsMean: sum(rows.map(({ latencyMs }) => latencyMs)) / rows.length,
    latencyMsMax: Math.max(...rows.map(({ latencyMs }) => latencyMs)),
    carbonGrams: sum(rows.map(({ carbonGrams }) => carbonGrams)),
    models: countsOf(rows.map(({ modelUsed }) => modelUsed ?? '')),
  }))
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function found<Item extends { id: string }>(items: readonly Item[], id: string): Item {
  const item = items.find((candidate) => candidate.id === id)
  if (!item) throw new Refusal('not_found', `There is no ${id}.`)
  return item
}
