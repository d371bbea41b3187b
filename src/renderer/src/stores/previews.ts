import { create } from 'zustand'
import type { Preview } from '../../../shared/routers/preview.ts'
import { instructionsFor, newConversation, useChat } from './chat.ts'
import { call, toCallError, type CallError } from './client.ts'

/** The message that is previewed. */
export interface PreviewedMessage {
  conversation: string
  routerId: string
  text: string
}

export type PreviewState =
  | { kind: 'loading' }
  | { kind: 'failed'; error: CallError }
  | { kind: 'known'; preview: Preview }

interface ShownPreview {
  message: PreviewedMessage
  state: PreviewState
  /** Whether the person was asked to send this text again because of its cost. */
  isAsked: boolean
}

type Previews = Readonly<Record<string, ShownPreview>>

interface Taken {
  routerId: string
  model: string
}

/** The models that a person takes instead of the router's for the next message, by conversation. */
export const useTakenModels = create<Record<string, Taken>>(() => ({}))

export function takeModel({ conversation, routerId }: PreviewedMessage, model: string): void {
  useTakenModels.setState({ [conversation]: { routerId, model } })
}

/** Leaves the choice to the router again. */
export function leaveModel(conversation: string): void {
  useTakenModels.setState(({ [conversation]: _taken, ...others }) => others, true)
}

/** The taken model of a message; null for the router's own, and when its latest decision does not rank that model. */
export function takenModelOf(
  message: PreviewedMessage,
  taken: Readonly<Record<string, Taken>> = useTakenModels.getState(),
): string | null {
  const { routerId, model } = taken[message.conversation] ?? {}
  if (model === undefined || routerId !== message.routerId) return null
  const latest = usePreviews.getState()[message.conversation]?.state
  if (latest?.kind !== 'known') return model
  const { preview } = latest
  const isRanked = preview.decision.ranked.some((ranked) => ranked.model === model)
  return isRanked && model !== preview.model ? model : null
}

/** The latest preview of each conversation. */
export const usePreviews = create<Record<string, ShownPreview>>(() => ({}))

/**
 * Previews a message. A later preview of the conversation replaces it. Never rejects.
 * @returns its own preview, also when a later one is shown; null when it failed
 */
export async function loadPreview(message: PreviewedMessage): Promise<Preview | null> {
  const { conversation, routerId, text } = message
  // The person may be asked while it loads.
  const show = (state: PreviewState) =>
    usePreviews.setState((previews) => ({
      [conversation]: { message, state, isAsked: wasAsked(message, previews) },
    }))
  const isLatest = () => usePreviews.getState()[conversation]?.message === message
  show({ kind: 'loading' })
  try {
    const conversationId = conversation === newConversation ? null : conversation
    const attachments = [...(useChat.getState().attached[conversation] ?? [])]
    const instructions = instructionsFor(conversation)
    const input = { conversationId, routerId, text, attachments, ...instructions }
    const preview = await call('chat:preview', input)
    if (isLatest()) show({ kind: 'known', preview })
    return preview
  } catch (error) {
    if (isLatest()) show({ kind: 'failed', error: toCallError(error) })
    return null
  }
}

// The instructions of a new conversation change with its folder, too.
useChat.subscribe(({ newInstructions }, before) => {
  if (newInstructions !== before.newInstructions) closePreview(newConversation)
})

export function closePreview(conversation: string): void {
  usePreviews.setState(({ [conversation]: _closed, ...others }) => others, true)
}

/** The preview of this very message; null when another text or router was previewed. */
export function previewFor(message: PreviewedMessage, previews: Previews): PreviewState | null {
  return shownFor(message, previews)?.state ?? null
}

export function wasAsked(message: PreviewedMessage, previews: Previews): boolean {
  return shownFor(message, previews)?.isAsked ?? false
}

function shownFor(
  { conversation, routerId, text }: PreviewedMessage,
  previews: Previews,
): ShownPreview | null {
  const shown = previews[conversation]
  const isSame = shown?.message.text === text && shown.message.routerId === routerId
  return isSame ? shown : null
}

/**
 * Whether a message may be sent now: its forecast is at most `greatestUsd`, 0 for no limit, or there is none because it failed,
 * or the person sends it again after they were asked.
 */
export async function mayBeSent(message: PreviewedMessage, greatestUsd: number): Promise<boolean> {
  if (greatestUsd === 0) return true
  const before = shownFor(message, usePreviews.getState())
  if (before?.isAsked) return true
  const preview = before?.state.kind === 'known' ? before.state.preview : await loadPreview(message)
  if (preview === null || expectedUsd(takenModelOf(message), preview) <= greatestUsd) return true
  const shown = shownFor(message, usePreviews.getState())
  const state = { kind: 'known', preview } as const
  if (shown) usePreviews.setState({ [message.conversation]: { ...shown, state, isAsked: true } })
  return false
}

/** @param taken  the model that is taken instead of the router's; null for the router's */
export function expectedUsd(taken: string | null, { expected, decision }: Preview): number {
  const ranked = decision.ranked.find(({ model }) => model === taken)
  return ranked ? ranked.estimate.costNanoUsd / 1e9 : expected.costUsd
}
