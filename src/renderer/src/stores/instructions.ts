/** Instructions of conversations, the presets that they start from, and the prompts of the composer. */
import {
  instructionsSchema,
  type Instructions,
  type ListedPreset,
  type Preset,
  type PresetCopy,
  type Prompt,
} from '../../../shared/chat/conversations.ts'
import { inputMessage } from '../../../shared/chat/input-messages.ts'
import { t } from '../../../shared/strings/strings.ts'
import { chooseRouter, newConversation, noInstructions, useChat, useConversations } from './chat.ts'
import { call, CallError } from './client.ts'
import { changeConversation } from './conversation-changes.ts'
import { createListStore } from './list.ts'
import { closePreview } from './previews.ts'
import { showUndo } from './toasts.ts'

export const usePresets = createListStore(() => call('chat:presets'))
export const usePrompts = createListStore(() => call('chat:prompts'))

export function useInstructions(conversation: string): Instructions {
  const next = useChat((state) => state.newInstructions)
  const known = useConversations(({ items }) => items?.find(({ id }) => id === conversation))
  return conversation === newConversation ? next : (known ?? noInstructions)
}

/** @throws CallError when a value is invalid */
function checked({ systemPrompt, parameters }: Instructions): Instructions {
  const instructions = { systemPrompt, parameters }
  const { data, error } = instructionsSchema.safeParse(instructions, { error: inputMessage })
  if (data) return data
  const [issue] = error.issues
  const field = issue?.path.join('.') ?? null
  throw new CallError({ code: 'invalid_input', message: issue?.message ?? '', field })
}

/**
 * @param preset  what is kept of the preset that they come from; missing leaves it
 * @throws CallError when a value is invalid
 */
export async function changeInstructions(
  conversation: string,
  changed: Instructions,
  preset?: PresetCopy | null,
): Promise<void> {
  const instructions = checked(changed)
  closePreview(conversation)
  if (conversation === newConversation) {
    const { newPreset } = useChat.getState()
    useChat.setState({ newInstructions: instructions, newPreset: preset ?? newPreset })
  } else await changeConversation(conversation, { ...instructions, ...(preset && { preset }) })
}

/** Starts the next new conversation from a preset. */
export function startFrom(preset: ListedPreset): void {
  const { systemPrompt, parameters, routerId } = preset
  useChat.setState({ newInstructions: { systemPrompt, parameters }, newPreset: copyOf(preset) })
  if (routerId !== null) chooseRouter(newConversation, routerId)
}

export function copyOf({ id, version }: ListedPreset): PresetCopy {
  return { id, version }
}

/** @returns it with its version @throws CallError when a value is invalid */
export async function savePreset(preset: Preset): Promise<ListedPreset> {
  const { id, name, routerId } = preset
  const instructions = checked(preset)
  const saved = await call('chat:save-preset', { id, name, routerId, ...instructions })
  await usePresets.getState().load()
  return saved
}

/** Removes a preset, with a way back. @throws CallError when it cannot be removed */
export async function removePreset(preset: Preset): Promise<void> {
  await call('chat:remove-preset', { id: preset.id })
  await usePresets.getState().load()
  showUndo(t('Deleted “{title}”', { title: preset.name }), async () => {
    await savePreset(preset)
  })
}

/** @throws CallError when a value is invalid */
export async function savePrompt(prompt: Prompt): Promise<void> {
  await call('chat:save-prompt', prompt)
  await usePrompts.getState().load()
}

/** Removes a prompt, with a way back. @throws CallError when it cannot be removed */
export async function removePrompt(prompt: Prompt): Promise<void> {
  await call('chat:remove-prompt', { id: prompt.id })
  await usePrompts.getState().load()
  showUndo(t('Deleted “{title}”', { title: prompt.name }), () => savePrompt(prompt))
}
