/** What can be done with the conversations of the chat window without asking a model. */
import { subtreeOf } from '../../shared/chat/conversation-turns.ts'
import type {
  Conversation,
  ConversationMatches,
  ConversationMessage,
  ChangedDraft,
  Draft,
  Folder,
  Instructions,
  ListedPreset,
  Preset,
  PresetCopy,
  Prompt,
  ThreadText,
} from '../../shared/chat/conversations.ts'
import type { Attachment } from '../../shared/chat/attachments.ts'
import { attach, type AttachedFile } from './attachments/attach.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import type { ConversationStore } from '../storage/conversation-store.ts'
import { presetVersion } from './preset-version.ts'

export interface ConversationLibraryOptions {
  store: ConversationStore
  now: () => number
  onChanged: () => void
  /** Called with unexpected errors of work in the background. */
  onBug: (error: unknown) => void
}

/** What a person can change of a conversation. */
export interface ConversationChanges {
  title?: string | undefined
  systemPrompt?: Instructions['systemPrompt'] | undefined
  parameters?: Instructions['parameters'] | undefined
  folderId?: string | null | undefined
  isPinned?: boolean | undefined
  preset?: PresetCopy | null | undefined
}

/** What was removed can be restored for this long. */
const restorableMs = 3_600_000

export class ConversationLibrary {
  readonly #options: ConversationLibraryOptions
  #purge: NodeJS.Timeout | undefined
  #indexing: Promise<void> | null = null
  #isClosed = false

  constructor(options: ConversationLibraryOptions) {
    this.#options = options
  }

  /** Conversations, most recently used first. */
  list(): Promise<Conversation[]> {
    return this.#options.store.list()
  }

  /** Conversations with all words of the text, most recently used first. */
  async search(text: string): Promise<ConversationMatches> {
    const { store } = this.#options
    const isIndexing = (await store.indexMessages()) > 0 && (await store.indexMessages()) > 0
    if (isIndexing) this.indexAll()
    return { matches: await store.search(text), isIndexing }
  }

  /** Indexes in the background what an older version stored. */
  indexAll(): void {
    const { store, onBug } = this.#options
    const index = async () => {
      while (!this.#isClosed && (await store.indexMessages()) > 0);
    }
    this.#indexing ??= index()
      .catch(onBug)
      .finally(() => (this.#indexing = null))
  }

  /** Messages of all branches, oldest first. */
  messages(id: string): Promise<ConversationMessage[]> {
    return this.#options.store.messages(id)
  }

  /** All messages, or those of the last turns of the shown path. */
  threadText(id: string, mostTurns: number | null): Promise<ThreadText> {
    return this.#options.store.threadText(id, mostTurns)
  }

  /** @throws DashboardError not_found */
  async change(id: string, changes: ConversationChanges): Promise<Conversation> {
    const { store, now, onChanged } = this.#options
    const known = await this.existing(id)
    const { folderId = known.folderId, isPinned = known.pinnedAtMs !== null } = changes
    const { preset = known.preset } = changes
    const conversation: Conversation = {
      ...known,
      title: changes.title ?? known.title,
      titleSource: changes.title === undefined ? known.titleSource : 'person',
      systemPrompt: changes.systemPrompt ?? known.systemPrompt,
      parameters: changes.parameters ?? known.parameters,
      folderId,
      preset,
      pinnedAtMs: isPinned ? (known.pinnedAtMs ?? now()) : null,
    }
    await store.save(conversation)
    onChanged()
    return conversation
  }

  /** Removes a conversation; `restore` brings it back. */
  async remove(id: string): Promise<void> {
    const { store, now, onChanged } = this.#options
    await store.remove(id, now())
    this.#purgeLater()
    onChanged()
  }

  async restore(id: string): Promise<void> {
    await this.#options.store.restore(id)
    this.#options.onChanged()
  }

  /**
   * Removes a message with everything that follows it; `restoreMessages` brings it back.
   * @returns the ids of what was removed. @throws DashboardError not_found; conflict while one of them streams
   */
  async removeMessage(conversationId: string, messageId: string): Promise<string[]> {
    const { store, now, onChanged } = this.#options
    const removed = subtreeOf(await store.messages(conversationId), messageId)
    if (removed.length === 0) throw messageGone()
    refuseStreaming(removed)
    const ids = removed.map(({ id }) => id)
    await store.removeMessages(ids, now())
    this.#purgeLater()
    onChanged()
    return ids
  }

  async restoreMessages(ids: readonly string[]): Promise<void> {
    await this.#options.store.restoreMessages(ids)
    this.#options.onChanged()
  }

  /**
   * Shows a message and the branch that follows it, in place of its siblings. The window that asks for it shows it already,
   * so it is not told. @throws DashboardError not_found
   */
  async show(conversationId: string, messageId: string): Promise<void> {
    if (!(await this.#options.store.show(conversationId, messageId))) throw messageGone()
  }

  /** Changes the text of a message in its place. @throws DashboardError not_found; conflict while it streams */
  async correct(
    conversationId: string,
    messageId: string,
    text: string,
  ): Promise<ConversationMessage> {
    const { store, onChanged } = this.#options
    const message = messageIn(await store.messages(conversationId), messageId)
    refuseStreaming([message])
    // The places are those of the old text.
    const citations = text === message.text ? message.citations : []
    const corrected = { ...message, text, citations }
    await store.saveMessage(conversationId, corrected)
    onChanged()
    return corrected
  }

  /** Unsent messages by conversation. */
  drafts(): Promise<Record<string, Draft>> {
    return this.#options.store.drafts()
  }

  /** Changes the parts that are given. */
  saveDraft(conversationId: string, changed: ChangedDraft): Promise<void> {
    return this.#options.store.saveDraft(conversationId, changed)
  }

  /** @throws DashboardError invalid for a file that cannot be read */
  attach(file: AttachedFile): Promise<Attachment> {
    return attach(file, this.#options)
  }

  /** Base64. @throws DashboardError not_found */
  async attachmentData(sha256: string): Promise<string> {
    const blob = await this.#options.store.blob(sha256)
    if (!blob) throw new DashboardError('not_found', 'This file no longer exists.')
    return blob.data
  }

  /** Presets by name. */
  async presets(): Promise<ListedPreset[]> {
    const presets = await this.#options.store.presets()
    return presets.map(listed)
  }

  async savePreset(preset: Preset): Promise<ListedPreset> {
    await this.#options.store.savePreset(preset)
    return listed(preset)
  }

  removePreset(id: string): Promise<void> {
    return this.#options.store.removePreset(id)
  }

  /** Prompts by name. */
  prompts(): Promise<Prompt[]> {
    return this.#options.store.prompts()
  }

  savePrompt(prompt: Prompt): Promise<void> {
    return this.#options.store.savePrompt(prompt)
  }

  removePrompt(id: string): Promise<void> {
    return this.#options.store.removePrompt(id)
  }

  /** Folders by name. */
  folders(): Promise<Folder[]> {
    return this.#options.store.folders()
  }

  saveFolder(folder: Folder): Promise<void> {
    return this.#options.store.saveFolder(folder)
  }

  /** Its conversations stay. */
  removeFolder(id: string): Promise<void> {
    return this.#options.store.removeFolder(id)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#purge)
    await this.#indexing
  }

  /** @throws DashboardError not_found */
  protected async existing(id: string): Promise<Conversation> {
    const conversation = await this.#options.store.get(id)
    if (!conversation) throw new DashboardError('not_found', 'This conversation no longer exists.')
    return conversation
  }

  #purgeLater(): void {
    const { store, now, onBug } = this.#options
    clearTimeout(this.#purge)
    const purge = () => void store.purge(now() - restorableMs).catch(onBug)
    this.#purge = setTimeout(purge, restorableMs).unref()
  }
}

function listed(preset: Preset): ListedPreset {
  return { ...preset, version: presetVersion(preset) }
}

export function idsOf(messages: readonly ConversationMessage[]): string[] {
  return messages.map(({ id }) => id)
}

/** @throws DashboardError not_found */
function messageIn(messages: readonly ConversationMessage[], id: string): ConversationMessage {
  const message = messages.find((one) => one.id === id)
  if (!message) throw messageGone()
  return message
}

function messageGone(): DashboardError {
  return new DashboardError('not_found', 'This message no longer exists.')
}

/** @throws DashboardError conflict while one of the messages is streaming */
export function refuseStreaming(messages: readonly ConversationMessage[]): void {
  if (messages.some(({ state }) => state === 'streaming')) {
    throw new DashboardError('conflict', 'Wait for the answer, or stop it first.')
  }
}
