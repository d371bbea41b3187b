/** The pretended service's conversations: each question is echoed word by word. */
import type { AgentMeta } from '../../src/shared/chat.ts'
import type { ConversationMessage, RequestRecord } from '../../src/shared/entities.ts'
import type { StreamCommand, ChatStreamEvent, IpcEvents } from '../../src/shared/ipc.ts'
import { found, Refusal, type HandlersOf } from './handlers.ts'
import { message, type Scene } from './scenes.ts'

/** How a stream's port reaches the window. */
export interface PortReceiver {
  postMessage(message: unknown, targetOrigin: string, transfer: Transferable[]): void
}

interface FakeChat {
  scene: Scene
  emit: (name: 'request:finished', payload: IpcEvents['request:finished']) => void
  receiver: PortReceiver
}

export function chatHandlers(fake: FakeChat): HandlersOf<`conversations:${string}` | 'chat:send'> {
  const { scene, receiver } = fake
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
    'chat:send': ({ conversationId, routerId, agent = null, text }) => {
      if (text === 'refuse')
        throw new Refusal('daily_limit_exceeded', 'The daily limit is reached.')
      const id = conversationId ?? crypto.randomUUID()
      const conversation = scene.conversations.find((old) => old.id === id) ?? {
        id,
        title: text.slice(0, 40),
        routerId,
        agent,
        createdAtMs: Date.now(),
        updatedAtMs: Date.now(),
      }
      conversation.agent = agent
      if (!conversationId) scene.conversations.unshift(conversation)
      const question = message('user', text)
      const reply: ConversationMessage = { ...message('assistant', ''), state: 'streaming' }
      scene.messages[id] = [...(scene.messages[id] ?? []), question, reply]
      const streamId = crypto.randomUUID()
      const { port1, port2 } = new MessageChannel()
      receiver.postMessage({ kind: 'modelport:stream', streamId }, '*', [port2])
      stream({ fake, port: port1, reply, conversation, routerId, text })
      return { conversation, question, answer: { ...reply }, streamId }
    },
  }
}

interface Streaming {
  fake: FakeChat
  port: MessagePort
  reply: ConversationMessage
  conversation: Scene['conversations'][number]
  routerId: string
  text: string
}

/** Sends the question back word by word; "fail" fails midway. */
function stream({ fake, port, reply, conversation, routerId, text }: Streaming): void {
  const words = `You wrote: **${text}**. ${'And so on and on. '.repeat(12)}`.split(/(?<= )/)
  const startedAtMs = Date.now()
  let isStopped = false
  port.addEventListener('message', (_stop: MessageEvent<StreamCommand>) => {
    isStopped = true
  })
  port.start()
  function end(state: 'complete' | 'stopped' | 'failed'): void {
    const request = finishedRequest(fake.scene, routerId, startedAtMs)
    reply.state = state
    if (state === 'failed') reply.error = 'The model process ended in the middle of the answer.'
    else fake.scene.requests.push(request)
    const { agent } = conversation
    if (state !== 'failed' && agent !== null) reply.agentMeta = agentMetaOf(agent, request)
    reply.meta =
      state === 'failed' || agent !== null
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
    if (state !== 'failed') fake.emit('request:finished', request)
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

function agentMetaOf(agent: string, request: RequestRecord): AgentMeta {
  return {
    execution_id: request.id,
    agent_name: agent,
    steps_executed: 3,
    total_cost: 0.002_4,
    total_latency: request.latencyMs,
    models_used: [request.modelUsed ?? ''],
  }
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
    cachedFrom: null,
    executionId: null,
    stepId: null,
  }
}
