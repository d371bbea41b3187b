/** The window's calls of the chat. */
import { z } from 'zod'
import {
  attachmentSchema,
  attachmentLimits,
  attachmentsSchema,
  type Attachment,
  type RouterReaders,
} from './attachments.ts'
import { agentSlugSchema } from '../agents/agent.ts'
import { modelIdSchema } from '../entities.ts'
import { call, nothing } from '../ipc-call.ts'
import type { Preview } from '../routers/preview.ts'
import {
  folderSchema,
  instructionsSchema,
  presetCopySchema,
  presetSchema,
  promptSchema,
  queueSchema,
  type Conversation,
  type ConversationMatches,
  type ConversationMessage,
  type Draft,
  type Folder,
  type ListedPreset,
  type Prompt,
  type ThreadText,
} from './conversations.ts'
import type { ChosenExport, ImportReport } from './imports.ts'

export interface ChatSent {
  conversation: Conversation
  question: ConversationMessage
  answer: ConversationMessage
  /** Names the MessagePort that follows by `window.postMessage`. */
  streamId: string
}

const id = z.string().min(1)
const one = z.strictObject({ id })
const place = z.strictObject({ conversationId: id, messageId: id })
const longestText = 10_000_000

const sendInputSchema = z.strictObject({
  conversationId: id.nullable(),
  routerId: id,
  /** Null: the router chooses a model. */
  agent: agentSlugSchema.nullable().default(null),
  /** A model of the router, taken instead of its choice. */
  model: modelIdSchema.nullable().default(null),
  text: z.string().max(longestText),
  attachments: attachmentsSchema.max(attachmentLimits.perMessage).default([]),
  /** Of a new conversation; an existing one has its own. */
  instructions: instructionsSchema.nullable().default(null),
  /** Of a new conversation. */
  folderId: id.nullable().default(null),
  /** Of a new conversation. */
  preset: presetCopySchema.nullable().default(null),
  /** Of a message that waited in a queue. It is sent once, also when two windows ask for it. */
  queuedId: id.nullable().default(null),
})

const changesSchema = instructionsSchema.partial().extend({
  title: z.string().trim().min(1).max(200).optional(),
  folderId: id.nullable().optional(),
  isPinned: z.boolean().optional(),
  preset: presetCopySchema.nullable().optional(),
})

const againInputSchema = z.strictObject({
  conversationId: id,
  routerId: id,
  /** A model of the router; null: the router or the conversation's agent answers. */
  model: modelIdSchema.nullable(),
  /** Whether the existing answers stay beside the new one; otherwise they are set aside. */
  isBeside: z.boolean(),
})

export const chatCalls = {
  'conversations:list': call(nothing).returns<Conversation[]>(),
  /** A long conversation gives its last turns only when their number is given. */
  'conversations:messages': call(
    z.strictObject({ id, mostTurns: z.int().min(1).nullable().default(null) }),
  ).returns<ThreadText>(),
  'conversations:change': call(
    z.strictObject({ id, changes: changesSchema }),
  ).returns<Conversation>(),
  /** Until the next start, or for an hour, `conversations:restore` brings it back. */
  'conversations:remove': call(one).returns<void>(),
  'conversations:restore': call(one).returns<void>(),
  /** The conversations with all words of a text, most recently updated first. */
  'conversations:search': call(
    z.strictObject({ text: z.string().trim().min(1).max(200) }),
  ).returns<ConversationMatches>(),

  /** Sends a message; without a conversation id, in a new conversation. The answer streams through a MessagePort. */
  'chat:send': call(sendInputSchema).returns<ChatSent>(),
  /** The decision for a message, without sending it. */
  'chat:preview': call(
    sendInputSchema.omit({
      agent: true,
      model: true,
      folderId: true,
      preset: true,
      queuedId: true,
    }),
  ).returns<Preview>(),
  /** Sends the last question again; streams like `chat:send`. */
  'chat:again': call(againInputSchema).returns<ChatSent>(),
  /** Asks a changed question in place of another, as a branch beside it; streams like `chat:send`. */
  'chat:edit': call(
    z.strictObject({ conversationId: id, questionId: id, routerId: id, text: id }),
  ).returns<ChatSent>(),
  /** Continues the last answer, which broke off or was stopped; streams like `chat:send`. */
  'chat:continue': call(
    againInputSchema.pick({ conversationId: true, routerId: true }),
  ).returns<ChatSent>(),
  /** Shows this message and its branch in place of its siblings. */
  'chat:show': call(place).returns<void>(),
  /** Changes the text of a message in its place. */
  'chat:correct': call(
    place.extend({ text: z.string().min(1).max(longestText) }),
  ).returns<ConversationMessage>(),
  /** Removes a message and all that follows it; returns the ids, with which `chat:restore-messages` brings them back. */
  'chat:remove-message': call(place).returns<string[]>(),
  'chat:restore-messages': call(z.strictObject({ ids: z.array(id).max(100_000) })).returns<void>(),
  /** Unsent messages by conversation; `new` is that of the next one. */
  'chat:drafts': call(nothing).returns<Record<string, Draft>>(),
  /** Stores the parts that are given. */
  'chat:save-draft': call(
    z.strictObject({
      conversationId: id,
      text: z.string().max(longestText).optional(),
      attachments: attachmentsSchema.optional(),
      queue: queueSchema.optional(),
      /** Whether the caller's window sends the queue from now on, and no other. */
      sendsQueue: z.boolean().default(false),
    }),
  ).returns<void>(),

  /** Reads a file and stores its content; a message or draft then names it. */
  'chat:attach': call(
    z.strictObject({ name: z.string().trim().min(1).max(255), bytes: z.instanceof(Uint8Array) }),
  ).returns<Attachment>(),
  /** Which models of each router can read a file as it is sent, and the tokens that they count for it. */
  'chat:attachment-readers': call(attachmentSchema).returns<RouterReaders[]>(),
  /** Its bytes as base64. */
  'chat:attachment-data': call(z.strictObject({ sha256: id })).returns<string>(),

  /** Asks for exports of other programs, and says what each would add; null when the person closed the dialog. */
  'chat:choose-exports': call(z.strictObject({ what: z.enum(['files', 'folder']) })).returns<
    ChosenExport[] | null
  >(),
  /** Imports exports that were chosen last. */
  'chat:import': call(z.strictObject({ ids: z.array(id).max(100) })).returns<ImportReport[]>(),

  /** By name. */
  'chat:presets': call(nothing).returns<ListedPreset[]>(),
  'chat:save-preset': call(presetSchema).returns<ListedPreset>(),
  'chat:remove-preset': call(one).returns<void>(),
  /** By name. */
  'chat:prompts': call(nothing).returns<Prompt[]>(),
  'chat:save-prompt': call(promptSchema).returns<void>(),
  'chat:remove-prompt': call(one).returns<void>(),
  /** By name. */
  'chat:folders': call(nothing).returns<Folder[]>(),
  'chat:save-folder': call(folderSchema).returns<void>(),
  /** Its conversations stay. */
  'chat:remove-folder': call(one).returns<void>(),
}
