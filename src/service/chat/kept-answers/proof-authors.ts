/**
 * Which model gave the proofs of reasoning (signatures and encrypted texts) that a client sends back. In memory only,
 * the least recently given are forgotten first: a proof of an unknown author counts as the model's own.
 */
import { hash } from 'node:crypto'
import type { CompletionChoice } from '../../../shared/chat/chat.ts'
import { fieldsOf, listOf } from '../../json-fields.ts'

/** About 2 MB. */
const mostProofs = 20_000

export class ProofAuthors {
  readonly #authors = new Map<string, string>()

  answered(modelId: string, choices: readonly Pick<CompletionChoice, 'message'>[]): void {
    for (const { message } of choices) {
      const details = listOf(message.reasoning_details).map(fieldsOf)
      const proofs = details.flatMap(({ signature, data }) => [signature, data])
      for (const proof of proofs) if (typeof proof === 'string') this.#add(proof, modelId)
    }
  }

  isForeign(proof: string, modelId: string): boolean {
    const author = this.#authors.size === 0 ? undefined : this.#authors.get(keyOf(proof))
    return author !== undefined && author !== modelId
  }

  #add(proof: string, modelId: string): void {
    this.#authors.set(keyOf(proof), modelId)
    if (this.#authors.size <= mostProofs) return
    const [oldest = ''] = this.#authors.keys()
    this.#authors.delete(oldest)
  }
}

function keyOf(proof: string): string {
  return hash('sha256', proof, 'base64url')
}
