/** The fake service's conversations: each question is echoed word by word. */
import { sampleAttachment, sampleConversation } from '../sample-conversations.ts'
import type { AgentMeta } from '../../src/shared/chat/chat.ts'
import type {
  ConversationMessage,
  Draft,
  Folder,
  ListedPreset,
  Prompt,
} from '../../src/shared/chat/conversations.ts'
import type { RequestRecord } from '../../src/shared/entities.ts'
import type { ChatStreamEvent, StreamCommand } from '../../src/shared/chat/chat-stream.ts'
import type { ChatSent } from '../../src/shared/chat/chat-calls.ts'
import {
  endOf,
  endOfThread,
  siblingsOf,
  subtreeOf,
  keptAnswer,
  turnsOf,
} from '../../src/shared/chat/conversation-turns.ts'
import type { IpcEvents } from '../../src/shared/ipc.ts'
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
  return {
    ...conversationHandlers(fake),
    ...sendHandlers(fake),
    ...answerHandlers(fake),
    ...messageHandlers(fake),
    ...libraryHandlers(),
  }
}

function conversationHandlers({ scene }: FakeChat): HandlersOf<`conversations:${string}`> {
  const removed: Scene['conversations'] = []
  return {
    'conversations:list': () => scene.conversations,
    'conversations:messages': ({ id, mostTurns = null }) => {
      const messages = scene.messages[id] ?? []
      const isWhole = mostTurns === null || messages.length <= 2 * mostTurns
      const sent = isWhole ? messages : endOfThread(messages, mostTurns)
      return { pieces: [JSON.stringify(sent)], isWhole }
    },
    'conversations:change': ({ id, changes: { isPinned, ...changes } }) => {
      const changed = found(scene.conversations, id)
      if (isPinned !== undefined) changed.pinnedAtMs = isPinned ? Date.now() : null
      return Object.assign(changed, changes)
    },
    'conversations:search': ({ text }) => {
      const isIn = (searched: string) => searched.toLowerCase().includes(text.toLowerCase())
      const matches = scene.conversations.flatMap(({ id, title }) => {
        const match = (scene.messages[id] ?? []).find((one) => isIn(one.text))
        if (!match && !isIn(title)) return []
        const excerpt = match?.text.slice(0, 100) ?? null
        return [{ conversationId: id, messageId: match?.id ?? null, excerpt }]
      })
      return { matches, isIndexing: false }
    },
    'conversations:remove': ({ id }) => {
      removed.push(found(scene.conversations, id))
      scene.conversations = scene.conversations.filter((old) => old.id !== id)
    },
    'conversations:restore': ({ id }) => void scene.conversations.unshift(found(removed, id)),
  }
}

function sendHandlers(fake: FakeChat): HandlersOf<'chat:send' | 'chat:preview'> {
  const { scene } = fake
  return {
    'chat:send': ({
      conversationId,
      routerId,
      agent = null,
      text,
      instructions,
      preset = null,
      attachments = [],
    }) => {
      if (text === 'refuse')
        throw new Refusal('daily_limit_exceeded', 'The daily limit is reached.')
      const id = conversationId ?? crypto.randomUUID()
      const conversation =
        scene.conversations.find((old) => old.id === id) ??
        sampleConversation({
          id,
          title: text.slice(0, 40),
          routerId,
          createdAtMs: Date.now(),
          preset,
          ...instructions,
        })
      conversation.agent = agent
      if (!conversationId) scene.conversations.unshift(conversation)
      const last = turnsOf(scene.messages[id] ?? []).at(-1)
      const question = {
        ...message('user', text),
        attachments,
        parentId: last ? endOf(last).id : null,
      }
      scene.messages[id] = [...(scene.messages[id] ?? []), question]
      return answer({ fake, conversation, question, routerId, model: null })
    },
    'chat:preview': ({ routerId, text }) => {
      if (text === 'refuse') throw new Refusal('no_capable_model', 'No model can take the request.')
      return previewOf(found(scene.routers, routerId))
    },
  }
}

function answerHandlers(fake: FakeChat): HandlersOf<'chat:again' | 'chat:edit' | 'chat:continue'> {
  const { scene } = fake
  return {
    'chat:again': ({ conversationId, routerId, model, isBeside }) => {
      found(scene.routers, routerId)
      const { question, answers } = lastTurn(scene, conversationId)
      const replaced = isBeside ? null : keptAnswer(answers)
      for (const old of answers) old.isSetAside ||= !isBeside
      const conversation = found(scene.conversations, conversationId)
      return answer({ fake, conversation, question, routerId, model, replaced })
    },
    'chat:edit': ({ conversationId, questionId, routerId, text }) => {
      const conversation = found(scene.conversations, conversationId)
      const messages = (scene.messages[conversationId] ??= [])
      const old = found(messages, questionId)
      for (const other of siblingsOf(messages, old)) other.isSetAside = true
      const question = { ...message('user', text), parentId: old.parentId }
      messages.push(question)
      return answer({ fake, conversation, question, routerId, model: null })
    },
    'chat:continue': ({ conversationId, routerId }) => {
      const { question, answers } = lastTurn(scene, conversationId)
      const beginning = answers.at(-1)?.text ?? ''
      for (const old of answers) old.isSetAside = true
      const conversation = found(scene.conversations, conversationId)
      return answer({ fake, conversation, question, routerId, model: null, beginning })
    },
  }
}

function lastTurn(scene: Scene, conversationId: string) {
  const turn = turnsOf(scene.messages[conversationId] ?? []).at(-1)
  if (!turn) throw new Refusal('conflict', 'Nothing was asked yet.')
  return turn
}

function messageHandlers({
  scene,
}: FakeChat): HandlersOf<
  | 'chat:show'
  | 'chat:correct'
  | 'chat:remove-message'
  | 'chat:restore-messages'
  | 'chat:drafts'
  | 'chat:save-draft'
> {
  const removed: { conversationId: string; message: ConversationMessage }[] = []
  const drafts: Record<string, Draft> = {}
  return {
    'chat:show': ({ conversationId, messageId }) => {
      const messages = scene.messages[conversationId] ?? []
      const shown = found(messages, messageId)
      for (const other of siblingsOf(messages, shown)) other.isSetAside = other !== shown
    },
    'chat:correct': ({ conversationId, messageId, text }) => ({
      ...Object.assign(found(scene.messages[conversationId] ?? [], messageId), { text }),
    }),
    'chat:remove-message': ({ conversationId, messageId }) => {
      const gone = subtreeOf(scene.messages[conversationId] ?? [], messageId)
      removed.push(...gone.map((one) => ({ conversationId, message: one })))
      scene.messages[conversationId] = (scene.messages[conversationId] ?? []).filter(
        (one) => !gone.includes(one),
      )
      return gone.map(({ id }) => id)
    },
    'chat:restore-messages': ({ ids }) => {
      for (const { conversationId, message: one } of removed)
        if (ids.includes(one.id)) (scene.messages[conversationId] ??= []).push(one)
    },
    'chat:drafts': () => drafts,
    'chat:save-draft': ({ conversationId, text, attachments, queue }) => {
      const stored = drafts[conversationId]
      drafts[conversationId] = {
        text: text ?? stored?.text ?? '',
        attachments: attachments ?? stored?.attachments ?? [],
        queue: queue ?? stored?.queue ?? [],
      }
    },
  }
}

function libraryHandlers(): HandlersOf<
  | `chat:${'attach' | 'attachment-readers' | 'attachment-data' | 'choose-exports' | 'import'}`
  | `chat:${'presets' | 'save-preset' | 'remove-preset' | 'prompts' | 'save-prompt' | 'remove-prompt' | 'folders' | 'save-folder' | 'remove-folder'}`
> {
  const presets = new Map<string, ListedPreset>()
  const versions = new Map<string, string>()
  const prompts = new Map<string, Prompt>()
  const folders = new Map<string, Folder>()
  return {
    'chat:attach': ({ name, bytes }) => {
      if (name.endsWith('.exe')) throw new Refusal('invalid', `Modelport cannot read ${name}.`)
      return sampleAttachment({ name, bytes: bytes.length })
    },
    'chat:choose-exports': () => null,
    'chat:import': () => [],
    'chat:attachment-readers': () => [],
    'chat:attachment-data': () => 'YQ==',
    'chat:presets': () => [...presets.values()],
    'chat:save-preset': (preset) => {
      const { systemPrompt, parameters, routerId } = preset
      const copied = JSON.stringify([systemPrompt, parameters, routerId])
      const version = versions.get(copied) ?? String(versions.size)
      versions.set(copied, version)
      const listed = { ...preset, version }
      presets.set(preset.id, listed)
      return listed
    },
    'chat:remove-preset': ({ id }) => void presets.delete(id),
    'chat:prompts': () => [...prompts.values()],
    'chat:save-prompt': (prompt) => void prompts.set(prompt.id, prompt),
    'chat:remove-prompt': ({ id }) => void prompts.delete(id),
    'chat:folders': () => [...folders.values()],
    'chat:save-folder': (folder) => void folders.set(folder.id, folder),
    'chat:remove-folder': ({ id }) => void folders.delete(id),
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
  /** Shown again when the new answer fails. */
  replaced?: ConversationMessage | null
}

/** Starts to stream the answer to the last question. */
function answer(asked: ChatQuestion): ChatSent {
  const { fake, conversation, question, routerId, model, beginning = '', replaced = null } = asked
  const { scene, receiver } = fake
  const reply: ConversationMessage = {
    ...message('assistant', beginning),
    parentId: question.id,
    state: 'streaming',
    routerId,
  }
  scene.messages[conversation.id] = [...(scene.messages[conversation.id] ?? []), reply]
  const streamId = crypto.randomUUID()
  const { port1, port2 } = new MessageChannel()
  receiver.postMessage({ kind: 'modelport:stream', streamId }, '*', [port2])
  const { text } = question
  stream({ fake, port: port1, reply, conversation, routerId, model, text, replaced })
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
  replaced: ConversationMessage | null
}

/** Sends the question back word by word; "fail" fails midway. */
function stream(streaming: Streaming): void {
  const { fake, port, reply, conversation, routerId, model, text, replaced } = streaming
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
      reply.isSetAside = replaced !== null
      if (replaced) replaced.isSetAside = false
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
    sessionId: null,
    agentId: null,
    sessionStep: null,
    fallbackFrom: null,
    fallbackReason: null,
    tag: null,
  }
}
