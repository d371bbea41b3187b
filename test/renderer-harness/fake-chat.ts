/** The fake service's conversations: each question is echoed word by word. */
import type { AgentMeta } from '../../src/shared/chat/chat.ts'
import type { ConversationMessage, RequestRecord } from '../../src/shared/entities.ts'
import type { ChatStreamEvent, StreamCommand } from '../../src/shared/chat/chat-stream.ts'
import type { ChatSent, IpcEvents } from '../../src/shared/ipc.ts'
import { found, Refusal, type HandlersOf, type PortReceiver } from './handlers.ts'
import { previewOf } from './fake-decisions.ts'
import type { Scene } from './scene.ts'
import { message } from './scenes.ts'

interface FakeChat {
  scene: Scene
  emit: (name: 'request:finished', payload: IpcEvents['request:finished']) => void
  receiver: PortReceiver
}

export function chatHandlers(
  fake: FakeChat,
): HandlersOf<`conversations:${string}` | `chat:${string}`> {
  return { ...conversationHandlers(fake), ...sendHandlers(fake), ...answerHandlers(fake) }
}

function conversationHandlers({ scene }: FakeChat): HandlersOf<`conversations:${string}`> {
  return {
    'conversations:list': () => scene.conversations,
    'conversations:messages': ({ id }) => scene.messages[id] ?? [],
    'conversations:rename': ({ id, title }) => {
      const renamed = found(scene.conversations, id)
      renamed.title = title
      return renamed
    },
    'conversations:search': ({ text }) =>
      scene.conversations.flatMap(({ id, title }) => {
        const isIn = (searched: string) => searched.toLowerCase().includes(text.toLowerCase())
        const match = (scene.messages[id] ?? []).find((one) => isIn(one.text))
        if (!match && !isIn(title)) return []
        return [{ conversationId: id, excerpt: match?.text.slice(0, 100) ?? null }]
      }),
    'conversations:remove': ({ id }) => {
      scene.conversations = scene.conversations.filter((old) => old.id !== id)
    },
  }
}

function sendHandlers(fake: FakeChat): HandlersOf<'chat:send' | 'chat:preview'> {
  const { scene } = fake
  return {
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
      scene.messages[id] = [...(scene.messages[id] ?? []), question]
      return answer({ fake, conversation, question, routerId, model: null })
    },
    'chat:preview': ({ routerId, text }) => {
      if (text === 'refuse') throw new Refusal('no_capable_model', 'No model can take the request.')
      return previewOf(found(scene.routers, routerId))
    },
  }
}

function answerHandlers(
  fake: FakeChat,
): HandlersOf<'chat:again' | 'chat:branch' | 'chat:continue' | 'chat:keep'> {
  const { scene } = fake
  return {
    'chat:again': ({ conversationId, routerId, model, isBeside }) => {
      found(scene.routers, routerId)
      const messages = scene.messages[conversationId] ?? []
      const asked = messages.findLastIndex(({ role }) => role === 'user')
      const question = messages[asked]
      if (!question) throw new Refusal('conflict', 'Nothing was asked yet.')
      for (const old of messages.slice(asked + 1)) old.isSetAside ||= !isBeside
      const conversation = found(scene.conversations, conversationId)
      return answer({ fake, conversation, question, routerId, model })
    },
    'chat:branch': ({ conversationId, questionId, routerId, text }) => {
      const old = found(scene.conversations, conversationId)
      const messages = scene.messages[conversationId] ?? []
      const conversation = { ...old, id: crypto.randomUUID(), updatedAtMs: Date.now() }
      const question = message('user', text)
      const before = messages.slice(0, messages.indexOf(found(messages, questionId)))
      scene.conversations.unshift(conversation)
      scene.messages[conversation.id] = [...before, question]
      return answer({ fake, conversation, question, routerId, model: null })
    },
    'chat:continue': ({ conversationId, routerId }) => {
      const messages = scene.messages[conversationId] ?? []
      const asked = messages.findLastIndex(({ role }) => role === 'user')
      const question = messages[asked]
      const partial = messages.at(-1)
      if (!question || !partial) throw new Refusal('conflict', 'Nothing was asked yet.')
      for (const old of messages.slice(asked + 1)) old.isSetAside = true
      const conversation = found(scene.conversations, conversationId)
      const beginning = partial.text
      return answer({ fake, conversation, question, routerId, model: null, beginning })
    },
    'chat:keep': ({ conversationId, answerId }) => {
      const messages = scene.messages[conversationId] ?? []
      const at = messages.indexOf(found(messages, answerId))
      const first = messages.findLastIndex(({ role }, index) => role === 'user' && index < at) + 1
      const next = messages.findIndex(({ role }, index) => role === 'user' && index > at)
      for (const other of messages.slice(first, next === -1 ? undefined : next)) {
        other.isSetAside = other.id !== answerId
      }
      return messages
    },
  }
}

interface ChatQuestion {
  fake: FakeChat
  conversation: Scene['conversations'][number]
  question: ConversationMessage
  routerId: string
  model: string | null
  /** What a continued answer begins with. */
  beginning?: string
}

/** Starts to stream the answer to the last question. */
function answer(asked: ChatQuestion): ChatSent {
  const { fake, conversation, question, routerId, model, beginning = '' } = asked
  const { scene, receiver } = fake
  const reply: ConversationMessage = {
    ...message('assistant', beginning),
    state: 'streaming',
    routerId,
  }
  scene.messages[conversation.id] = [...(scene.messages[conversation.id] ?? []), reply]
  const streamId = crypto.randomUUID()
  const { port1, port2 } = new MessageChannel()
  receiver.postMessage({ kind: 'modelport:stream', streamId }, '*', [port2])
  stream({ fake, port: port1, reply, conversation, routerId, model, text: question.text })
  return { conversation, question, answer: { ...reply }, streamId }
}

interface Streaming {
  fake: FakeChat
  port: MessagePort
  reply: ConversationMessage
  conversation: Scene['conversations'][number]
  routerId: string
  /** Null means the router's first model. */
  model: string | null
  text: string
}

/** Sends the question back word by word; "fail" fails midway. */
function stream({ fake, port, reply, conversation, routerId, model, text }: Streaming): void {
  const words = `You wrote: **${text}**. ${'And so on and on. '.repeat(12)}`.split(/(?<= )/)
  const startedAtMs = Date.now()
  let isStopped = false
  port.addEventListener('message', (_stop: MessageEvent<StreamCommand>) => {
    isStopped = true
  })
  port.start()
  function end(state: 'complete' | 'stopped' | 'failed'): void {
    const request = {
      ...finishedRequest(fake.scene, routerId, startedAtMs),
      ...(model !== null && { modelUsed: model, routerDecision: 'pinned' as const }),
    }
    reply.state = state
    if (state === 'failed') {
      reply.error = 'The model process ended in the middle of the answer.'
      reply.errorDetail = 'SIGKILL'
    } else fake.scene.requests.push(request)
    const agent = model === null ? conversation.agent : null
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
            fallback: null,
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
    port.postMessage({ kind: 'delta', text: word, reasoning: '' } satisfies ChatStreamEvent)
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
    fallbackFrom: null,
    fallbackReason: null,
    tag: null,
  }
}
