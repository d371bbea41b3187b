/** Presets that have changed since a conversation began from them: it keeps its copy until a person takes the new values. */
import type { Instructions, ListedPreset, PresetCopy } from '../../../shared/chat/conversations.ts'
import { t } from '../../../shared/strings/strings.ts'
import { chooseRouter, newConversation, useChat, useConversations } from './chat.ts'
import { changeInstructions, copyOf, useInstructions, usePresets } from './instructions.ts'
import { showUndo } from './toasts.ts'

/** A conversation with what it tells each model now. */
export interface Instructed {
  conversation: string
  routerId: string
  instructions: Instructions
}

export function usePresetChange(of: Omit<Instructed, 'instructions'>): ListedPreset | null {
  const copy = usePresetCopy(of.conversation)
  const instructions = useInstructions(of.conversation)
  const presets = usePresets(({ items }) => items)
  return changeOf(copy, presets ?? [], { ...of, instructions })
}

/** The preset that a conversation began from, if it has values that the conversation neither has nor left; else null. */
export function changeOf(
  copy: PresetCopy | null,
  presets: readonly ListedPreset[],
  of: Instructed,
): ListedPreset | null {
  const preset = presets.find(({ id }) => id === copy?.id)
  if (!preset || preset.version === copy?.version || hasValuesOf(preset, of)) return null
  return preset
}

function usePresetCopy(conversation: string) {
  const next = useChat((state) => state.newPreset)
  const known = useConversations(({ items }) => items?.find(({ id }) => id === conversation))
  return conversation === newConversation ? next : (known?.preset ?? null)
}

function hasValuesOf(preset: ListedPreset, { instructions, routerId }: Instructed): boolean {
  const isSameRouter = preset.routerId === null || preset.routerId === routerId
  return isSameRouter && wordsOf(preset) === wordsOf(instructions)
}

function wordsOf({ systemPrompt, parameters }: Instructions): string {
  const set = Object.entries(parameters).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([systemPrompt, set])
}

/** Takes the preset's values in place of the conversation's own, with a way back. @throws CallError */
export async function takePreset(
  { conversation, routerId, instructions }: Instructed,
  preset: ListedPreset,
): Promise<void> {
  const before = presetCopyOf(conversation)
  await changeInstructions(conversation, preset, copyOf(preset))
  if (preset.routerId !== null) chooseRouter(conversation, preset.routerId)
  showUndo(t('Took the new values of “{name}”', { name: preset.name }), async () => {
    await changeInstructions(conversation, instructions, before)
    chooseRouter(conversation, routerId)
  })
}

/** Keeps the conversation's values; the preset's next change is shown again. @throws CallError */
export async function leavePreset(
  { conversation, instructions }: Instructed,
  preset: ListedPreset,
): Promise<void> {
  await changeInstructions(conversation, instructions, copyOf(preset))
}

function presetCopyOf(conversation: string) {
  if (conversation === newConversation) return useChat.getState().newPreset
  const { items } = useConversations.getState()
  return items?.find(({ id }) => id === conversation)?.preset ?? null
}
