/**
 * Which model gave the proofs of reasoning (signatures and encrypted texts) that a client sends back. In memory, the
 * least recently given are forgotten first; at a start, those of coding agents' sessions are read from the ledger. A proof
 * of an unknown author counts as the model's own.
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
export const mostProofs = 20_000

/** Proofs that a model gave, as `proofsOf` names them. */
interface GivenProofs {
  modelId: string
  proofs: readonly string[]
}

export class ProofAuthors {
  readonly #authors = new Map<string, string>()

  /** @param known  proofs of an earlier run, the newest first */
  constructor(known: readonly GivenProofs[] = []) {
    for (const { modelId, proofs } of known.toReversed()) {
      for (const proof of proofs) this.#add(proof, modelId)
    }
  }

  /** Notes the proofs of a whole answer. */
  answered(modelId: string, choices: readonly Pick<CompletionChoice, 'message'>[]): void {
    for (const { message } of choices) {
      for (const proof of proofsOf(message.reasoning_details)) this.#add(proof, modelId)
    }
  }

  /** Called before a piece goes to the client, which may ask again before the stream has ended. */
  heard(modelId: string, choices: readonly ChunkChoice[]): void {
    for (const choice of choices) {
      if (choice instanceof TextChoice) continue
      for (const proof of proofsOf(choice.delta.reasoning_details)) this.#add(proof, modelId)
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

  #add(key: string, modelId: string): void {
    // Last again: a map keeps the place of a key that it has.
    this.#authors.delete(key)
    this.#authors.set(key, modelId)
    if (this.#authors.size <= mostProofs) return
    const [oldest = ''] = this.#authors.keys()
    this.#authors.delete(oldest)
  }
}

/** Short names of the proofs in an answer's `reasoning_details`. */
export function proofsOf(details: unknown): string[] {
  if (details === undefined) return []
  const proofs = listOf(details)
    .map(fieldsOf)
    .flatMap(({ signature, data }) => [signature, data])
  return proofs.flatMap((proof) => (typeof proof === 'string' ? keyOf(proof) : []))
}

/** 96 bits: two proofs of one name are not to be expected. */
function keyOf(proof: string): string {
  return hash('sha256', proof, 'base64url').slice(0, 16)
}
