/** Begins new conversations, and takes back what a folder gave to the next one. Commands are in the first script, and so is this. */
import { chooseRouter, newConversation, useChat, type Beginning } from './chat.ts'

/** Opens a new conversation in no folder, as “New conversation” does. */
export function beginNew(): void {
  leaveFolder()
  useChat.setState({ current: newConversation })
}

/** Opens a new conversation on this router. */
export function beginConversation(routerId: string): void {
  beginNew()
  chooseRouter(newConversation, routerId)
}

/** Takes back what the folder's preset gave. What the person has changed since stays. */
function leaveFolder(): void {
  const { fromFolder } = useChat.getState()
  useChat.setState({ newFolderId: null, fromFolder: null })
  if (fromFolder === null) return
  const { given, before } = fromFolder
  const now = nextBeginning()
  const routerId = now.routerId === given.routerId ? before.routerId : now.routerId
  useChat.setState(({ routerChoices: { [newConversation]: _given, ...others } }) => ({
    newInstructions:
      now.instructions === given.instructions ? before.instructions : now.instructions,
    newPreset: now.preset === given.preset ? before.preset : now.preset,
    routerChoices: routerId === null ? others : { ...others, [newConversation]: routerId },
  }))
}

/** What the next new conversation begins with. */
export function nextBeginning(): Beginning {
  const { newInstructions, newPreset, routerChoices } = useChat.getState()
  const routerId = routerChoices[newConversation] ?? null
  return { instructions: newInstructions, preset: newPreset, routerId }
}
