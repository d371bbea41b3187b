/** Folders of conversations, one level deep. */
import type { Conversation, Folder } from '../../../shared/chat/conversations.ts'
import { t } from '../../../shared/strings/strings.ts'
import { useChat } from './chat.ts'
import { call } from './client.ts'
import { startFrom, usePresets } from './instructions.ts'
import { createListStore } from './list.ts'
import { beginNew, nextBeginning } from './new-conversation.ts'
import { showUndo } from './toasts.ts'

export const useFolders = createListStore(() => call('chat:folders'))

/** @throws CallError when a value is invalid */
export async function saveFolder(folder: Folder): Promise<void> {
  await call('chat:save-folder', folder)
  await useFolders.getState().load()
}

/** Deletes a folder, with a way back; its conversations stay. @throws CallError when it cannot be deleted */
export async function removeFolder(folder: Folder): Promise<void> {
  await call('chat:remove-folder', { id: folder.id })
  await useFolders.getState().load()
  showUndo(t('Deleted “{title}”', { title: folder.name }), () => saveFolder(folder))
}

/** Opens a new conversation in a folder, from the folder's preset. */
export function beginInFolder({ id, presetId }: Folder): void {
  beginNew()
  const preset = usePresets.getState().items?.find((one) => one.id === presetId)
  if (preset) {
    const before = nextBeginning()
    startFrom(preset)
    useChat.setState({ fromFolder: { given: nextBeginning(), before } })
  }
  useChat.setState({ newFolderId: id })
}

export interface Sections {
  pinned: Conversation[]
  folders: { folder: Folder; conversations: Conversation[] }[]
  /** In no folder, or in one that was deleted. */
  others: Conversation[]
}

/** Each conversation once, in the given order; a pinned one is not in its folder as well. */
export function sectionsOf(
  conversations: readonly Conversation[],
  folders: readonly Folder[],
): Sections {
  const [pinned, rest] = [true, false].map((isPinned) =>
    conversations.filter(({ pinnedAtMs }) => (pinnedAtMs !== null) === isPinned),
  )
  const isIn = (folder: Folder) => (one: Conversation) => one.folderId === folder.id
  return {
    pinned: pinned ?? [],
    folders: folders.map((folder) => ({
      folder,
      conversations: (rest ?? []).filter(isIn(folder)),
    })),
    others: (rest ?? []).filter((one) => !folders.some((folder) => isIn(folder)(one))),
  }
}
