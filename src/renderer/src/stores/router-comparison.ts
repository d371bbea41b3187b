/** Routers that answer beside the conversation's own router, so that they can be compared. */
import { create } from 'zustand'
import type { Attachment } from '../../../shared/chat/attachments.ts'
import { askAgain } from './branches.ts'
import { newConversation, sendMessage, showThreadError } from './chat.ts'
import type { CallError } from './client.ts'

/** Most other routers. With the conversation's own router, three answers stand side by side. */
export const mostOtherRouters = 2

interface RouterComparison {
  /** The other routers of each conversation, for this session. */
  others: Readonly<Record<string, readonly string[]>>
  /** Whether answers are compared without their names and figures, by conversation, for this session. */
  blind: Readonly<Record<string, boolean>>
}

export const useRouterComparison = create<RouterComparison>(() => ({
  others: {},
  blind: {},
}))

const none: readonly string[] = []

/** The routers that are compared with a conversation's own router, without deleted ones. */
export function otherRoutersOf<Router extends { id: string }>(
  chosen: readonly string[] = none,
  own: string,
  routers: readonly Router[],
): Router[] {
  return chosen.flatMap((id) => routers.find((router) => router.id === id && id !== own) ?? [])
}

/**
 * Adds a router to the comparison, or takes it out. Beyond the limit, nothing changes.
 * @param compared  the routers of the comparison now, without deleted ones and the conversation's own
 */
export function toggleComparedRouter(
  conversation: string,
  routerId: string,
  compared: readonly { id: string }[],
): void {
  const others = compared.map(({ id }) => id).filter((id) => id !== routerId)
  if (others.length < compared.length) setOthers(conversation, others)
  else if (others.length < mostOtherRouters) setOthers(conversation, [...others, routerId])
}

export function stopComparing(conversation: string): void {
  setOthers(conversation, none)
}

export function setBlind(conversation: string, isBlind: boolean): void {
  useRouterComparison.setState(({ blind }) => ({ blind: { ...blind, [conversation]: isBlind } }))
}

/** A message to the conversation's own router and to others. */
interface ComparedMessage {
  conversation: string
  routerId: string
  otherRouterIds: readonly string[]
  /** Of the conversation's own router, taken instead of its choice. */
  model?: string | null
  text: string
  /** Of a message that waited. */
  queuedFiles?: readonly Attachment[]
  queuedId?: string
}

/**
 * Sends a message to all routers; they answer at the same time. Never rejects: the first error is in the thread's `error`.
 * @returns whether it was sent
 */
export async function sendToRouters(message: ComparedMessage): Promise<boolean> {
  const { conversation, otherRouterIds } = message
  const id = await sendMessage(message)
  if (id === null) return false
  if (conversation === newConversation) {
    setOthers(id, otherRouterIds)
    setBlind(id, useRouterComparison.getState().blind[newConversation] ?? false)
    stopComparing(newConversation)
    setBlind(newConversation, false)
  }
  const errors: CallError[] = []
  for (const otherId of otherRouterIds) {
    const request = { conversation: id, routerId: otherId, model: null, isBeside: true }
    const error = await askAgain(request)
    if (error) errors.push(error)
  }
  // The success of a later router has cleared the error of an earlier one.
  if (errors[0]) showThreadError(id, errors[0])
  return true
}

function setOthers(conversation: string, routerIds: readonly string[]): void {
  useRouterComparison.setState(({ others }) => ({
    others: { ...others, [conversation]: routerIds },
  }))
}
