/** An answer of the inner form as a text completion, whole or as events. */
import type {
  ChatUsage,
  ChunkChoice,
  CompletionChoice,
  FinishReason,
  WireFields,
} from '../../../../shared/chat/chat.ts'
import { TextChoices, type TextChoice } from './text-choices.ts'

export interface TextIdentity {
  id: string
  /** Unix seconds. */
  created: number
  /** Text before that of each choice. */
  prefix: string
}

interface WholeAnswer {
  /** `<provider>:<model_name>` */
  model: string
  choices: readonly CompletionChoice[]
  usage: ChatUsage
  extras?: WireFields
}

export function writeTextCompletion(
  { model, choices, usage, extras }: WholeAnswer,
  { id, created, prefix }: TextIdentity,
  meta: object,
): object {
  const texts = new TextChoices(prefix)
  const written = choices.map(({ index, message, logprobs, finish_reason }): TextChoice => {
    const piece = texts.pieceOf(index, message, logprobs)
    const empty = { text: texts.emptyText(index), index, logprobs: null }
    return { ...(piece ?? empty), finish_reason }
  })
  const object = 'text_completion'
  return { id, object, created, model, ...extras, choices: written, usage, _meta: meta }
}

interface TextDelta {
  model: string
  choices: readonly ChunkChoice[]
  extras?: WireFields
}

interface TextEnd {
  model: string
  usage: ChatUsage
  finishReasons: ReadonlyMap<number, FinishReason>
  extras?: WireFields
  meta: object
}

interface TextChunk {
  model: string
  extras: WireFields | undefined
  choices: readonly TextChoice[]
  usage?: ChatUsage
  _meta?: object
}

/** The events of a stream, in the form that chat completions also have. */
export class TextEvents {
  readonly #identity: TextIdentity & { includeUsage: boolean }
  readonly #texts: TextChoices

  constructor(identity: TextIdentity & { includeUsage: boolean }) {
    this.#identity = identity
    this.#texts = new TextChoices(identity.prefix)
  }

  deltas({ model, choices, extras }: TextDelta): string {
    let events = ''
    for (const { index, delta, logprobs } of choices) {
      const piece = this.#texts.pieceOf(index, delta, logprobs)
      if (piece === null) continue
      const choice = { ...piece, finish_reason: null }
      events += this.#event({ model, extras, choices: [choice] })
    }
    return events
  }

  end({ model, usage, finishReasons, extras, meta }: TextEnd): string {
    const choices = [...finishReasons].map(([index, finish_reason]) => ({
      text: this.#texts.emptyText(index),
      index,
      logprobs: null,
      finish_reason,
    }))
    // Clients that did not request the usage do not expect a chunk without choices.
    if (!this.#identity.includeUsage) return this.#event({ model, extras, choices, _meta: meta })
    const last = { model, extras, choices: [], usage, _meta: meta }
    return this.#event({ model, extras, choices }) + this.#event(last)
  }

  #event({ model, extras, ...rest }: TextChunk): string {
    const { id, created, includeUsage } = this.#identity
    const usage = includeUsage ? { usage: null } : {}
    const chunk = { id, object: 'text_completion', created, model, ...extras, ...usage, ...rest }
    return `data: ${JSON.stringify(chunk)}\n\n`
  }
}
