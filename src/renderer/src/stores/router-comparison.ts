/** Routers that answer beside the conversation's own router, so that they can be compared. */
import { create } from 'zustand'
import { askAgain, newConversation, sendMessage } from './chat.ts'

/** With the conversation's own router, three answers stand side by side. */
export const mostOtherRouters = 2

interface RouterComparison {
  /** The other routers of each conversation, for this session. */
  others: Readonly<Record<string, readonly string[]>>
  isMenuOpen: boolean
}

export const useRouterComparison = create<RouterComparison>(() => ({
  others: {},
  isMenuOpen: false,
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

/** Adds a router to the comparison, or takes it out. Beyond the limit, nothing changes. */
export function toggleComparedRouter(conversation: string, routerId: string): void {
  const before = useRouterComparison.getState().others[conversation] ?? none
  if (before.includes(routerId)) {
    return setOthers(
      conversation,
      before.filter((id) => id !== routerId),
    )
  }
  if (before.length < mostOtherRouters) setOthers(conversation, [...before, routerId])
}

export function stopComparing(conversation: string): void {
  setOthers(conversation, none)
}

export function openComparisonMenu(): void {
  useRouterComparison.setState({ isMenuOpen: true })
}

/** A message to the conversation's own router and to others. */
interface ComparedMessage {
  conversation: string
  routerId: string
  otherRouterIds: readonly string[]
  text: string
}

/** Sends a message to all routers; they answer at the same time. Never rejects: an error is in the thread's `error`. */
export async function sendToRouters(message: ComparedMessage): Promise<void> {
  const { conversation, routerId, otherRouterIds, text } = message
  const id = await sendMessage({ conversation, routerId, text })
  if (id === null) return
  if (conversation === newConversation) {
    setOthers(id, otherRouterIds)
    stopComparing(newConversation)
  }
  for (const otherId of otherRouterIds) {
    await askAgain({ conversation: id, routerId: otherId, model: null, isBeside: true })
  }
}

function setOthers(conversation: string, routerIds: readonly string[]): void {
  useRouterComparison.setState(({ others }) => ({
    others: { ...others, [conversation]: routerIds },
  }))
}
