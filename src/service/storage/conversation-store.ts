import type {
  Conversation,
  ConversationMatch,
  ConversationMessage,
  ChangedDraft,
  Draft,
  Folder,
  Preset,
  Prompt,
  ThreadText,
} from '../../shared/chat/conversations.ts'

export interface Blob {
  sha256: string
  /** Base64. */
  data: string
  /** Its text; null for an image. */
  text: string | null
}

/** Conversations and messages that are removed stay restorable until they are purged; no other function sees them. */
export interface ConversationStore {
  /** Lists conversations, most recently updated first. */
  list(): Promise<Conversation[]>
  get(id: string): Promise<Conversation | null>
  /** Conversations whose title or indexed messages have all words of the text; 100 at most, the newest first. */
  search(text: string): Promise<ConversationMatch[]>
  /** Indexes some of the messages that a search does not find yet; resolves how many, so 0 at the end. */
  indexMessages(): Promise<number>
  /** The conversation with the answer of this request; null when no message belongs to it. */
  ofRequest(requestId: string): Promise<Conversation | null>
  /** Messages of all branches, oldest first. */
  messages(conversationId: string): Promise<ConversationMessage[]>
  /** The ids of all messages, also of removed ones. */
  messageIds(conversationId: string): Promise<string[]>
  /** All messages, or those of the last turns of the shown path. */
  threadText(conversationId: string, mostTurns: number | null): Promise<ThreadText>
  save(conversation: Conversation): Promise<void>
  /** Gives a title to a conversation whose title is its first words; false for another one. */
  nameByModel(id: string, title: string): Promise<boolean>
  /** Inserts or replaces the conversation and adds its messages, all or nothing. */
  add(conversation: Conversation, messages: readonly ConversationMessage[]): Promise<void>
  /** Resolves false when there was none. */
  remove(id: string, atMs: number): Promise<boolean>
  restore(id: string): Promise<void>
  /**
   * Inserts the message or replaces the one with its id, which keeps its place in the tree and whether it is set aside:
   * a growing answer is saved while the user moves to another branch. Does nothing when the conversation was purged.
   */
  saveMessage(conversationId: string, message: ConversationMessage): Promise<void>
  setAside(ids: readonly string[], isSetAside: boolean): Promise<void>
  /** Sets the siblings of a message aside, and not the message. Resolves false when there is no such message. */
  show(conversationId: string, messageId: string): Promise<boolean>
  removeMessages(ids: readonly string[], atMs: number): Promise<void>
  restoreMessages(ids: readonly string[]): Promise<void>
  /** Deletes for good what was removed at this time or before. */
  purge(untilMs: number): Promise<void>
  /** Unsent messages by conversation. */
  drafts(): Promise<Record<string, Draft>>
  /** Changes the parts that are given. An empty message without a queue deletes the draft. */
  saveDraft(conversationId: string, changed: ChangedDraft): Promise<void>
  /** The content of an attached file; null when there is none. */
  blob(sha256: string): Promise<Blob | null>
  /** Stores a content once; `purge` deletes it once no message and no draft has it. */
  saveBlob(blob: Blob, atMs: number): Promise<void>
  /** Presets by name. */
  presets(): Promise<Preset[]>
  /** Inserts the preset or replaces the one with its id. */
  savePreset(preset: Preset): Promise<void>
  removePreset(id: string): Promise<void>
  /** Prompts by name. */
  prompts(): Promise<Prompt[]>
  /** Inserts the prompt or replaces the one with its id. */
  savePrompt(prompt: Prompt): Promise<void>
  removePrompt(id: string): Promise<void>
  /** Folders by name. */
  folders(): Promise<Folder[]>
  /** Inserts the folder or replaces the one with its id. */
  saveFolder(folder: Folder): Promise<void>
  /** Its conversations keep its id, so that they are in it again when it is saved again. */
  removeFolder(id: string): Promise<void>
  /** Changes messages left `streaming` by a crash to `stopped`; resolves their number. */
  stopInterrupted(): Promise<number>
}
