import type { OutputItem, UnnumberedEvent } from '../form.ts'

/** A reasoning item whose text is still arriving. It is shown as a summary, which clients show to people. */
export class OpenReasoning {
  readonly place: number
  readonly #id: string
  #text = ''

  constructor(place: number, id: string) {
    this.place = place
    this.#id = id
  }

  text(delta: string): UnnumberedEvent[] {
    const isFirst = this.#text === ''
    this.#text += delta
    const piece = {
      type: 'response.reasoning_summary_text.delta',
      ...this.#address(),
      delta,
    } as const
    if (!isFirst) return [piece]
    const part = { type: 'summary_text', text: '' } as const
    return [{ type: 'response.reasoning_summary_part.added', ...this.#address(), part }, piece]
  }

  end(): UnnumberedEvent[] {
    const text = this.#text
    const part = { type: 'summary_text', text } as const
    return [
      { type: 'response.reasoning_summary_text.done', ...this.#address(), text },
      { type: 'response.reasoning_summary_part.done', ...this.#address(), part },
    ]
  }

  item(status: string): OutputItem {
    const summary =
      status === 'in_progress' ? [] : [{ type: 'summary_text' as const, text: this.#text }]
    return { type: 'reasoning', id: this.#id, summary }
  }

  #address() {
    return { item_id: this.#id, output_index: this.place, summary_index: 0 }
  }
}
