import type { WireFields } from '../../../../shared/chat/chat.ts'
import { fieldsOf, listOf } from '../../../json-fields.ts'
import { fromAnnotation } from '../answer.ts'
import type { OutputItem, UnnumberedEvent } from '../form.ts'

type Message = Extract<OutputItem, { type: 'message' }>
type Content = Message['content'][number]
type TextPart = Extract<Content, { type: 'output_text' }>
type Annotation = TextPart['annotations'][number]
type Logprob = NonNullable<TextPart['logprobs']>[number]

/** A message whose text, or whose refusal, is still arriving. */
export class OpenMessage {
  readonly place: number
  readonly #id: string
  readonly #content: Content[] = []

  constructor(place: number, id: string) {
    this.place = place
    this.#id = id
  }

  /** @param logprobs  in the form of both APIs */
  text(delta: string, logprobs: readonly unknown[]): UnnumberedEvent[] {
    const { part, events } = this.#textPart()
    part.text += delta
    const entries = logprobs.map(withBytes)
    if (entries.length > 0) part.logprobs = [...(part.logprobs ?? []), ...entries]
    const piece = { ...this.#address(), delta, logprobs: entries.map(withoutBytes) }
    return [...events, { type: 'response.output_text.delta', ...piece }]
  }

  refusal(delta: string): UnnumberedEvent[] {
    const last = this.#content.at(-1)
    const part = last?.type === 'refusal' ? last : { type: 'refusal' as const, refusal: '' }
    const events = part === last ? [] : this.#next(part)
    part.refusal += delta
    return [...events, { type: 'response.refusal.delta', ...this.#address(), delta }]
  }

  annotation(inner: unknown): UnnumberedEvent[] {
    const { part, events } = this.#textPart()
    // The caller's SDK reads the fields of the types that it knows.
    const annotation = fromAnnotation(inner) as WireFields & Annotation
    const annotation_index = part.annotations.length
    part.annotations.push(annotation)
    const type = 'response.output_text.annotation.added'
    return [...events, { type, ...this.#address(), annotation_index, annotation }]
  }

  end(): UnnumberedEvent[] {
    return this.#endPart()
  }

  item(status: Message['status']): OutputItem {
    const content = this.#content.map((part) => ({ ...part }))
    return { type: 'message', id: this.#id, role: 'assistant', status, content }
  }

  #textPart(): { part: TextPart; events: UnnumberedEvent[] } {
    const last = this.#content.at(-1)
    if (last?.type === 'output_text') return { part: last, events: [] }
    const part: TextPart = { type: 'output_text', text: '', annotations: [], logprobs: [] }
    return { part, events: this.#next(part) }
  }

  #next(part: Content): UnnumberedEvent[] {
    const ended = this.#endPart()
    this.#content.push(part)
    const added = { type: 'response.content_part.added', ...this.#address(), part: { ...part } }
    return [...ended, added as UnnumberedEvent]
  }

  #endPart(): UnnumberedEvent[] {
    const last = this.#content.at(-1)
    if (last === undefined) return []
    const part = { ...last }
    const done: UnnumberedEvent =
      part.type === 'refusal'
        ? { type: 'response.refusal.done', ...this.#address(), refusal: part.refusal }
        : {
            type: 'response.output_text.done',
            ...this.#address(),
            text: part.text,
            logprobs: (part.logprobs ?? []).map(withoutBytes),
          }
    return [done, { type: 'response.content_part.done', ...this.#address(), part }]
  }

  #address() {
    const content_index = Math.max(0, this.#content.length - 1)
    return { item_id: this.#id, output_index: this.place, content_index }
  }
}

/** An entry with `bytes`, which may be null in the chat form. */
function withBytes(entry: unknown): Logprob {
  const { top_logprobs: others, ...fields } = fieldsOf(entry)
  const plain = (one: WireFields) => ({ ...one, bytes: one['bytes'] ?? [] })
  // The fields of both forms are the same.
  return { ...plain(fields), top_logprobs: listOf(others).map(fieldsOf).map(plain) } as Logprob
}

/** The log probability without `bytes`, as the events have it. */
function withoutBytes({ token, logprob, top_logprobs: others }: Logprob) {
  const top_logprobs = others.map((other) => ({ token: other.token, logprob: other.logprob }))
  return { token, logprob, top_logprobs }
}
