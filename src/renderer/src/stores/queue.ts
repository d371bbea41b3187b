/** Messages that wait until the running answer of their conversation ends. Then the first is sent, as if the person did it. */
import type { QueuedMessage } from '../../../shared/chat/conversations.ts'
import {
  changeThread,
  messagesShown,
  routerOf,
  setAttached,
  setDraft,
  stopAnswer,
  useChat,
  useConversations,
} from './chat.ts'
import { agentOf, useAgentChoices } from './chat-agents.ts'
import { call } from './client.ts'
import type { Queue } from './queue-state.ts'
import { arrivingIn, useLiveAnswers } from './live-answers.ts'
import { expectedUsd, takeModel } from './previews.ts'
import { otherRoutersOf, sendToRouters, useRouterComparison } from './router-comparison.ts'
import { useRouters } from './routers.ts'
import { askAboveUsdOf, useSettings } from './settings.ts'
import { setQueue } from './unsent-messages.ts'

const empty: Queue = { messages: [], state: 'waiting' }

/** Conversations whose next message is being sent. */
const sending = new Set<string>()
/** Conversations whose answer is stopped so that the next message can be sent. */
const stopping = new Set<string>()
let isFollowing = false

export function queueMessage(conversation: string, message: Omit<QueuedMessage, 'id'>): void {
  followAnswers()
  const { messages, state } = queueOf(conversation)
  const queued = { ...message, id: crypto.randomUUID() }
  // A queue that holds still waits for the person, and an empty one begins anew.
  const kept = messages.length === 0 ? 'waiting' : state
  void setQueue(conversation, { messages: [...messages, queued], state: kept })
}

export function removeQueued(conversation: string, id: string): void {
  const { messages, state } = queueOf(conversation)
  void setQueue(conversation, { messages: messages.filter((one) => one.id !== id), state })
}

/** Puts a message back into the field, before what is written there. */
export function editQueued(conversation: string, { id, text, attachments, taken }: QueuedMessage) {
  const { drafts, attached } = useChat.getState()
  const files = [...attachments, ...(attached[conversation] ?? [])]
  removeQueued(conversation, id)
  setDraft(conversation, [text, drafts[conversation] ?? ''].filter(Boolean).join('\n\n'))
  setAttached(
    conversation,
    files.filter(({ sha256 }, at) => files.findIndex((one) => one.sha256 === sha256) === at),
  )
  if (taken) takeModel({ conversation, text, routerId: taken.routerId }, taken.model)
}

/**
 * Sends a message before the others. From now on, the queue is this window's. A running answer is stopped for it, but not
 * before the person has agreed to a forecast above the limit. Never rejects.
 */
export async function sendQueued(conversation: string, message: QueuedMessage): Promise<void> {
  followAnswers()
  const { messages, state } = queueOf(conversation)
  const isAgreed = state === 'costly' && messages[0]?.id === message.id
  const others = messages.filter(({ id }) => id !== message.id)
  await setQueue(conversation, { messages: [message, ...others], state: 'waiting' })
  const isAbove = !isAgreed && (await isCostly(conversation, message))
  if (!isNext(conversation, message) || sending.has(conversation)) return
  if (isAbove) return pause(conversation, 'costly')
  const arriving = arrivingOf(conversation)
  if (arriving.length === 0) return await sendFirst(conversation)
  stopping.add(conversation)
  arriving.forEach(stopAnswer)
}

/** Notices the ends of answers, from the first queued message on. */
function followAnswers(): void {
  if (isFollowing) return
  isFollowing = true
  useLiveAnswers.subscribe((live, before) => {
    const ended = Object.keys(before).filter((id) => !(id in live))
    if (ended.length === 0) return
    for (const conversation of Object.keys(useChat.getState().queues)) {
      void continueAfter(conversation, ended)
    }
  })
}

/** Sends the next message when these answers were the last that its conversation waited for. */
async function continueAfter(conversation: string, endedIds: readonly string[]): Promise<void> {
  const { threads } = useChat.getState()
  const ended = threads[conversation]?.messages?.filter(({ id }) => endedIds.includes(id)) ?? []
  if (ended.length === 0 || arrivingOf(conversation).length > 0) return
  if (stopping.delete(conversation)) return await sendFirst(conversation)
  if (queueOf(conversation).state !== 'waiting') return
  const failed = ended.find((answer) => answer.state !== 'complete')
  if (failed) return pause(conversation, failed.state === 'failed' ? 'failed' : 'stopped')
  await sendUnlessCostly(conversation)
}

async function sendUnlessCostly(conversation: string): Promise<void> {
  const [next] = queueOf(conversation).messages
  if (!next) return
  const isAbove = await isCostly(conversation, next)
  if (queueOf(conversation).state !== 'waiting') return
  // Meanwhile the person may have edited or deleted it.
  if (!isNext(conversation, next)) return await sendUnlessCostly(conversation)
  if (isAbove) return pause(conversation, 'costly')
  await sendFirst(conversation)
}

function pause(conversation: string, state: Queue['state']): void {
  const { messages } = queueOf(conversation)
  if (messages.length > 0) void setQueue(conversation, { messages, state })
}

/** Whether this window sends a message next. Meanwhile another window may have taken the queue. */
function isNext(conversation: string, { id }: QueuedMessage): boolean {
  const { messages, state } = queueOf(conversation)
  return state === 'waiting' && messages[0]?.id === id
}

async function sendFirst(conversation: string): Promise<void> {
  if (sending.has(conversation)) return
  sending.add(conversation)
  try {
    await otherMessageSent(conversation)
    const [message] = queueOf(conversation).messages
    if (!message || !isNext(conversation, message)) return
    const isBusy = useChat.getState().sending !== null || arrivingOf(conversation).length > 0
    const routerId = routerIdOf(conversation)
    if (isBusy || routerId === null) return
    const { id: queuedId, text, attachments: queuedFiles, taken } = message
    const model = taken?.routerId === routerId ? taken.model : null
    const otherRouterIds = otherRouterIdsOf(conversation, routerId)
    const sent = { conversation, routerId, model, text, queuedId, queuedFiles, otherRouterIds }
    const isSent = (await sendToRouters(sent)) || wasSentElsewhere(conversation)
    if (isSent) removeQueued(conversation, queuedId)
    else pause(conversation, 'failed')
  } finally {
    sending.delete(conversation)
  }
}

/** Whether another window was faster with it, which is no error: its message is shown here, too. */
function wasSentElsewhere(conversation: string): boolean {
  if (useChat.getState().threads[conversation]?.error?.code !== 'already_sent') return false
  changeThread(conversation, (thread) => ({ ...thread, error: null }))
  return true
}

/** Messages are sent one at a time, over all conversations. Resolves when none of another conversation is being sent. */
async function otherMessageSent(conversation: string): Promise<void> {
  const isOther = (of: string | null) => of !== null && of !== conversation
  if (!isOther(useChat.getState().sending)) return
  await new Promise<void>((resolve) => {
    const stop = useChat.subscribe(({ sending: of }) => {
      if (isOther(of)) return
      stop()
      resolve()
    })
  })
}

/** Whether the forecast is above the limit. A message without a forecast is sent, and so is one to an agent. */
async function isCostly(conversation: string, message: QueuedMessage): Promise<boolean> {
  const limitUsd = askAboveUsdOf(useSettings.getState())
  const routerId = routerIdOf(conversation)
  const known = useConversations.getState().items?.find(({ id }) => id === conversation)
  const agent = agentOf(known, useAgentChoices.getState()[conversation])
  if (limitUsd === 0 || routerId === null || agent !== null) return false
  const { text, attachments, taken } = message
  const input = { conversationId: conversation, routerId, text, attachments }
  const preview = await call('chat:preview', input).catch(() => null)
  const model = taken?.routerId === routerId ? taken.model : null
  return preview !== null && expectedUsd(model, preview) > limitUsd
}

function queueOf(conversation: string): Queue {
  return useChat.getState().queues[conversation] ?? empty
}

function arrivingOf(conversation: string): string[] {
  return arrivingIn(messagesShown(conversation))
}

function routerIdOf(conversation: string): string | null {
  const routers = useRouters.getState().items ?? []
  return routerOf(conversation, routers, useChat.getState())?.id ?? null
}

function otherRouterIdsOf(conversation: string, own: string): string[] {
  const chosen = useRouterComparison.getState().others[conversation]
  return otherRoutersOf(chosen, own, useRouters.getState().items ?? []).map(({ id }) => id)
}
