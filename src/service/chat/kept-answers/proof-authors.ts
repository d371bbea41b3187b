/**
 * Which model gave the proofs of reasoning (signatures and encrypted texts) that a client sends back. In memory only,
 * the least recently given are forgotten first: a proof of an unknown author counts as the model's own.
 */
import { hash } from 'node:crypto'
import type {
  ChatRequest,
  ChunkChoice,
  CompletionChoice,
  WireFields,
} from '../../../shared/chat/chat.ts'
import { TextChoice } from '../../../shared/strings/text-choice.ts'
import { fieldsOf, listOf, textOrNull } from '../../json-fields.ts'

/** About 2 MB. */
const mostProofs = 20_000

export class ProofAuthors {
  readonly #authors = new Map<string, string>()

  /** Notes the proofs of a whole answer. */
  answered(modelId: string, choices: readonly Pick<CompletionChoice, 'message'>[]): void {
    for (const { message } of choices) this.#addAll(message.reasoning_details, modelId)
  }

  /** Called before a piece goes to the client, which may ask again before the stream has ended. */
  heard(modelId: string, choices: readonly ChunkChoice[]): void {
    for (const choice of choices) {
      if (!(choice instanceof TextChoice)) this.#addAll(choice.delta.reasoning_details, modelId)
    }
  }

  /** Whether another model gave the proof; false when its author is unknown. */
  isForeign(proof: string, modelId: string): boolean {
    const author = this.#authors.size === 0 ? undefined : this.#authors.get(keyOf(proof))
    return author !== undefined && author !== modelId
  }

  /** The body without other models' reasoning. The same object when there is none. */
  withoutForeign(body: ChatRequest, modelId: string): ChatRequest {
    if (this.#authors.size === 0) return body
    const messages = body.messages.map((message) => {
      const details = listOf(message.reasoning_details).map(fieldsOf)
      const isForeign = ({ signature, data }: WireFields) =>
        this.isForeign(textOrNull(signature ?? data) ?? '', modelId)
      const foreign = details.filter(isForeign)
      if (foreign.length === 0) return message
      const ids = new Set(foreign.map(({ id }) => id))
      const own = message.reasoning_details?.filter(({ id }) => !ids.has(id))
      return { ...message, reasoning_details: own }
    })
    const isSame = messages.every((message, index) => message === body.messages[index])
    return isSame ? body : { ...body, messages }
  }

  #addAll(details: unknown, modelId: string): void {
    if (details === undefined) return
    const proofs = listOf(details)
      .map(fieldsOf)
      .flatMap(({ signature, data }) => [signature, data])
    for (const proof of proofs) if (typeof proof === 'string') this.#add(proof, modelId)
  }

  #add(proof: string, modelId: string): void {
    const key = keyOf(proof)
    // Last again: a map keeps the place of a key that it has.
    this.#authors.delete(key)
    this.#authors.set(key, modelId)
    if (this.#authors.size <= mostProofs) return
    const [oldest = ''] = this.#authors.keys()
    this.#authors.delete(oldest)
  }
}

function keyOf(proof: string): string {
  return hash('sha256', proof, 'base64url')
}
