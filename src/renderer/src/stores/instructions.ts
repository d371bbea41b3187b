/** Instructions of conversations, the presets that they start from, and the prompts of the composer. */
import {
  instructionsSchema,
  type Instructions,
  type Preset,
  type Prompt,
} from '../../../shared/chat/conversations.ts'
import { inputMessage } from '../../../shared/chat/input-messages.ts'
import { t } from '../../../shared/strings/strings.ts'
import {
  changeConversation,
  chooseRouter,
  newConversation,
  noInstructions,
  useChat,
  useConversations,
} from './chat.ts'
import { call, CallError } from './client.ts'
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
function checked(instructions: Instructions): Instructions {
  const { data, error } = instructionsSchema.safeParse(instructions, { error: inputMessage })
  if (data) return data
  const [issue] = error.issues
  const field = issue?.path.join('.') ?? null
  throw new CallError({ code: 'invalid_input', message: issue?.message ?? '', field })
}

/** @throws CallError when a value is invalid */
export async function changeInstructions(
  conversation: string,
  changed: Instructions,
): Promise<void> {
  const instructions = checked(changed)
  closePreview(conversation)
  if (conversation === newConversation) useChat.setState({ newInstructions: instructions })
  else await changeConversation(conversation, instructions)
}

/** Starts the next new conversation from a preset. */
export function startFrom({ systemPrompt, parameters, routerId }: Preset): void {
  closePreview(newConversation)
  useChat.setState({ newInstructions: { systemPrompt, parameters } })
  if (routerId !== null) chooseRouter(newConversation, routerId)
}

/** @throws CallError when a value is invalid */
export async function savePreset(preset: Preset): Promise<void> {
  const { id, name, routerId } = preset
  const instructions = checked({
    systemPrompt: preset.systemPrompt,
    parameters: preset.parameters,
  })
  await call('chat:save-preset', { id, name, routerId, ...instructions })
  await usePresets.getState().load()
}

/** Removes a preset, with a way back. @throws CallError when it cannot be removed */
export async function removePreset(preset: Preset): Promise<void> {
  await call('chat:remove-preset', { id: preset.id })
  await usePresets.getState().load()
  showUndo(t('Deleted “{title}”', { title: preset.name }), () => savePreset(preset))
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
