/**
 * The reasoning of answers that called tools. Some models need it back with the tool's result (signatures of
 * Claude and Gemini, `reasoning_content` of DeepSeek and Kimi), and many clients drop it. It is added again for the
 * model that wrote it, for the same API key and the same first question. In memory only: at most 32 Mi characters,
 * 512 Ki for one answer, the least recently used are evicted first, and all is forgotten an hour after its use.
 */
import { hash } from 'node:crypto'
import {
  contentText,
  type ChatMessage,
  type ChatRequest,
  type ChunkChoice,
  type CompletionChoice,
} from '../../../shared/chat/chat.ts'
import { TextChoice } from '../../../shared/strings/text-choice.ts'
import { isEmpty } from '../../providers/passed-fields.ts'
import { CollectedChoices } from '../answer/collect.ts'
import { ProofAuthors } from './proof-authors.ts'

const reasoningFields = ['reasoning', 'reasoning_content', 'reasoning_details'] as const
type ReasoningFields = Pick<ChatMessage, (typeof reasoningFields)[number]>

const defaultBounds = { answerCharacters: 512 * 1024, totalCharacters: 32 * 1024 * 1024 }
/** Time until reasoning is forgotten: long enough for a user to approve a tool call. */
const forgetAfterMs = 3_600_000
/** First questions differ at their beginnings. */
const questionCharacters = 4096

interface RememberedReasoning {
  fields: ReasoningFields
  characters: number
  usedAtMs: number
}

/** Owner of the reasoning. */
export interface ReasoningOwner {
  /** Null for the chat window. */
  apiKeyId: string | null
  /** `<provider>:<model_name>` */
  modelId: string
  /** The conversation that the answer belongs to. */
  body: ChatRequest
}

/** A call as the answer and as the next request have it. */
interface Call {
  id: string
  function?: { name?: string; arguments?: string } | undefined
}

export class ReasoningMemory {
  readonly authors: ProofAuthors
  readonly #clock: () => number
  readonly #bounds: typeof defaultBounds
  /** Entries in order of use, the least recent first. */
  readonly #entries = new Map<string, RememberedReasoning>()
  #characters = 0

  /** @param clock  monotonic milliseconds. @param authors  of the proofs that earlier answers gave */
  constructor(clock: () => number, authors = new ProofAuthors(), bounds = defaultBounds) {
    this.authors = authors
    this.#clock = clock
    this.#bounds = bounds
  }

  /** Remembers the reasoning of each choice that calls tools. */
  answered(owner: ReasoningOwner, choices: readonly Pick<CompletionChoice, 'message'>[]): void {
    this.authors.answered(owner.modelId, choices)
    for (const { message } of choices) {
      const [first] = message.tool_calls ?? []
      const fields = reasoningOf(message)
      if (first !== undefined && fields !== null) this.#store(keyOf(owner, first), fields)
    }
  }

  /** The body with the reasoning that its messages lack; the same object when nothing is remembered. */
  restore(owner: ReasoningOwner): ChatRequest {
    const { body } = owner
    if (this.#entries.size === 0 || !body.messages.some(callsTools)) return body
    const messages = body.messages.map((message) => {
      const missing = this.#missingOf(message, owner)
      return missing === null ? message : { ...missing, ...withoutNulls(message) }
    })
    const isSame = messages.every((message, index) => message === body.messages[index])
    return isSame ? body : { ...body, messages }
  }

  /** Characters in memory. */
  characters(): number {
    return this.#characters
  }

  #missingOf(message: ChatMessage, owner: ReasoningOwner): ReasoningFields | null {
    if (!callsTools(message) || reasoningFields.every((name) => !isEmpty(message[name])))
      return null
    const [first] = message.tool_calls ?? []
    return first === undefined ? null : this.#find(keyOf(owner, first))
  }

  #find(key: string): ReasoningFields | null {
    const entry = this.#entries.get(key)
    if (entry === undefined) return null
    this.#delete(key)
    const nowMs = this.#clock()
    if (nowMs - entry.usedAtMs > forgetAfterMs) return null
    this.#insert(key, { ...entry, usedAtMs: nowMs })
    return entry.fields
  }

  #store(key: string, fields: ReasoningFields): void {
    const characters = JSON.stringify(fields).length
    if (characters > this.#bounds.answerCharacters) return
    this.#delete(key)
    this.#insert(key, { fields, characters, usedAtMs: this.#clock() })
    for (const [oldest] of this.#entries) {
      if (this.#characters <= this.#bounds.totalCharacters) return
      this.#delete(oldest)
    }
  }

  #insert(key: string, entry: RememberedReasoning): void {
    this.#entries.set(key, entry)
    this.#characters += entry.characters
  }

  #delete(key: string): void {
    this.#characters -= this.#entries.get(key)?.characters ?? 0
    this.#entries.delete(key)
  }
}

/** Collects the reasoning and the tool calls of a stream, and nothing else. */
export class StreamedReasoning {
  readonly #choices = new CollectedChoices()
  #charactersLeft = defaultBounds.answerCharacters

  add(choices: readonly ChunkChoice[]): void {
    for (const choice of choices) {
      if (this.#charactersLeft < 0) return
      if (choice instanceof TextChoice) continue
      const { index, delta } = choice
      const { reasoning, reasoning_content, reasoning_details, tool_calls } = delta
      const kept: ChunkChoice['delta'] = {
        ...(reasoning && { reasoning }),
        ...(reasoning_content && { reasoning_content }),
        ...(!isEmpty(reasoning_details) && { reasoning_details }),
        ...(tool_calls && { tool_calls }),
      }
      const size = sizeOf(kept)
      if (size === 0) continue
      this.#charactersLeft -= size
      this.#choices.add([{ index, delta: kept, finish_reason: null }])
    }
  }

  /** @returns null when it is too long to be remembered */
  read(): readonly Pick<CompletionChoice, 'message'>[] | null {
    return this.#charactersLeft < 0 ? null : this.#choices.whole()
  }
}

function sizeOf(delta: ChunkChoice['delta']): number {
  const { reasoning, reasoning_content, reasoning_details, tool_calls } = delta
  if (reasoning_details !== undefined || tool_calls !== undefined) {
    return JSON.stringify(delta).length
  }
  return (reasoning?.length ?? 0) + (reasoning_content?.length ?? 0)
}

function callsTools({ role, tool_calls }: ChatMessage): boolean {
  return role === 'assistant' && tool_calls !== undefined && tool_calls.length > 0
}

function reasoningOf(message: CompletionChoice['message']): ReasoningFields | null {
  const found = reasoningFields.filter((name) => !isEmpty(message[name]))
  if (found.length === 0) return null
  return Object.fromEntries(found.map((name) => [name, message[name]]))
}

/** The message without missing fields: null must not replace what is remembered. */
function withoutNulls(message: ChatMessage): ChatMessage {
  const kept = { ...message }
  for (const name of reasoningFields) if (isEmpty(kept[name])) delete kept[name]
  return kept
}

/** Key of a call. Some upstreams number their calls, so an id alone may occur in several conversations. */
function keyOf({ apiKeyId, modelId, body }: ReasoningOwner, call: Call): string {
  const { id, function: called } = call
  const callParts = [id, called?.name, plainJson(called?.arguments)]
  const parts = [apiKeyId, modelId, questionOf(body), ...callParts]
  return hash('sha256', JSON.stringify(parts), 'base64url')
}

function questionOf({ messages }: ChatRequest): string {
  const content = messages.find(({ role }) => role === 'user')?.content
  return contentText(content).slice(0, questionCharacters)
}

/** The arguments in one form: clients may write them with other spaces. */
function plainJson(text = ''): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}
