/** The conversations of the chat window: trees of messages, of which one path is shown. */
import { z } from 'zod'
import { modelIdSchema } from '../entities.ts'
import { reasoningEfforts } from '../models/model-facts.ts'
import type { Fallback } from '../routers/fallback-record.ts'
import { attachmentsSchema, type Attachment } from './attachments.ts'
import type { AgentMeta, RouterDecision } from './chat.ts'
import type { ChatSource, ImportedPart, MessageDetail } from './imports.ts'
import type { ToolStep } from './tools.ts'

/** From the cheapest model to the best; a conversation without one leaves the balance to its router. */
export const preferences = ['cheapest', 'cheaper', 'better', 'best'] as const
export type Preference = (typeof preferences)[number]

/** What a request asks of every model beside the messages; a missing field is left to the model or to the router. */
export const parametersSchema = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  maxTokens: z.int().min(1).max(1_000_000).optional(),
  reasoningEffort: z.enum(reasoningEfforts).optional(),
  /** Whether models may call the tools of the user's MCP servers. */
  tools: z.boolean().optional(),
  preference: z.enum(preferences).optional(),
  /** US dollars that all answers of the conversation may cost together. */
  limitUsd: z.number().positive().max(10_000).optional(),
})

/** What a conversation tells each model before its messages. */
export const instructionsSchema = z.strictObject({
  /** Sent before the first message; empty for none. */
  systemPrompt: z.string().max(100_000),
  parameters: parametersSchema,
})
export type Instructions = z.output<typeof instructionsSchema>

const name = z.string().trim().min(1).max(100)

/** Named instructions that a new conversation can start from. It gets a copy of them. */
export const presetSchema = instructionsSchema.extend({
  id: z.string().min(1),
  name,
  /** The router to ask; null leaves it as it is. */
  routerId: z.string().min(1).nullable(),
})
export type Preset = z.output<typeof presetSchema>

/** What a conversation keeps of the preset that it began from, to tell whether that one has changed since. */
export const presetCopySchema = z.strictObject({
  id: z.string().min(1),
  /** The `version` of the preset that was copied, or that a person decided to leave. */
  version: z.string().min(1).max(64),
})
export type PresetCopy = z.output<typeof presetCopySchema>

export interface ListedPreset extends Preset {
  /** A hash of all that a copy takes, so that a preset which is changed and changed back has its first one again. */
  version: string
}

/** Holds conversations, which begin from its preset. */
export const folderSchema = z.strictObject({
  id: z.string().min(1),
  name,
  presetId: z.string().min(1).nullable(),
})
export type Folder = z.output<typeof folderSchema>

/** A text to insert into a message. `{{name}}` in it is a variable. */
export const promptSchema = z.strictObject({
  id: z.string().min(1),
  name,
  text: z.string().min(1).max(100_000),
})
export type Prompt = z.output<typeof promptSchema>

export const titleSources = ['words', 'model', 'person'] as const
export type TitleSource = (typeof titleSources)[number]

export interface Conversation extends Instructions {
  id: string
  title: string
  /** Its first words, a local model, or a person (also of another program), whose title is never replaced. */
  titleSource: TitleSource
  routerId: string | null
  /** The agent that answered last; null when the router chose a model. */
  agent: string | null
  /** A folder that was deleted counts as none. */
  folderId: string | null
  /** Null unless it is pinned to the top of the list. */
  pinnedAtMs: number | null
  createdAtMs: number
  updatedAtMs: number
  /** The program that it was imported from; null for Modelport's own. */
  source: ChatSource | null
  /** Null when it began from no preset. */
  preset: PresetCopy | null
}

/** The answer's `_meta` as the chip shows it, with the request's id in the ledger. */
export interface AnswerMeta {
  requestId: string
  modelUsed: string
  costUsd: number
  latencyMs: number
  carbonGrams: number
  routerDecision: RouterDecision
  /** Null when the router's first choice answered. */
  fallback: Fallback | null
}

/** A place in an answer that one of its sources supports. */
export const citationSchema = z.strictObject({
  /** The index of the source. */
  source: z.int().min(0),
  /** Characters of the text before the place. */
  at: z.int().min(0),
})
export type Citation = z.output<typeof citationSchema>

export interface ConversationMessage {
  id: string
  /** The message that it follows; null at the beginning. Messages with the same parent are its branches. */
  parentId: string | null
  role: 'user' | 'assistant'
  text: string
  /** Of a question; answers have none. */
  attachments: readonly Attachment[]
  createdAtMs: number
  /** Rows that are `streaming` at the start were cut off by a crash; they are shown as stopped. */
  state: 'complete' | 'streaming' | 'stopped' | 'failed'
  /** The service's error message when `state` is `failed`. */
  error: string | null
  /** The provider's own words about the failure; null when it gave none. */
  errorDetail: string | null
  /** True if another message in its place is used instead: models do not read this one, nor what follows it. */
  isSetAside: boolean
  /** The router that answered; null on questions. */
  routerId: string | null
  /** Present on answers that have ended. */
  meta: AnswerMeta | null
  /** The `_meta` of an agent's answer; `meta` is null then. */
  agentMeta: AgentMeta | null
  /** What another program stored with it; null for Modelport's own messages. */
  imported: ImportedPart | null
  /** Calls of tools that its models made, oldest first. */
  toolSteps: readonly ToolStep[]
  /** Web pages that the answer cites, each once: its title, and its address as text. */
  sources: readonly MessageDetail[]
  /** Where the answer cites them, as far as its provider says so. */
  citations: readonly Citation[]
}

/**
 * The messages of a conversation, or the end of a long one. They are JSON, because Electron's bridge copies objects field by
 * field, and in pieces, so that the window can draw between them.
 */
export interface ThreadText {
  /** JSON lists of messages, oldest first. */
  pieces: string[]
  /** Whether these are the messages of all branches. */
  isWhole: boolean
}

/** Messages that wait until the running answer of their conversation ends, first to be sent first. */
export const queueSchema = z.array(
  z.strictObject({
    id: z.string().min(1),
    /** A model that was taken instead of the router's choice. */
    taken: z.strictObject({ routerId: z.string().min(1), model: modelIdSchema }).nullable(),
    text: z.string(),
    attachments: attachmentsSchema,
  }),
)
export type QueuedMessage = z.output<typeof queueSchema>[number]

/** An unsent message, and those that wait before it. */
export interface Draft {
  text: string
  attachments: readonly Attachment[]
  queue: readonly QueuedMessage[]
}

/** The parts of a draft that changed. */
export type ChangedDraft = { [Part in keyof Draft]?: Draft[Part] | undefined }

/** A conversation that contains a searched text. */
export interface ConversationMatch {
  conversationId: string
  /** Its newest message with the text; null when only the title has it. */
  messageId: string | null
  /** The words around the first match in that message. */
  excerpt: string | null
}

export interface ConversationMatches {
  /** Most recently used first. */
  matches: ConversationMatch[]
  /** Messages of an older version are still being indexed, so some may be missing. */
  isIndexing: boolean
}
