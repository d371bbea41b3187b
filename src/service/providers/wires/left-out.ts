/** What a request loses or changes on its way into a vendor's form, for the decision and the header. */
import type { Adjustment } from '../../../shared/model-abilities.ts'

export class LeftOut {
  readonly adjustments: Adjustment[] = []

  leave(parameter: string, reason: string): void {
    this.#add({ parameter, change: 'left_out', reason })
  }

  send(parameter: string, change: `sent_as_${string}`, reason: string): void {
    this.#add({ parameter, change, reason })
  }

  /** A change that every message has is named once. */
  #add(added: Adjustment): void {
    const isKnown = this.adjustments.some(
      (one) => one.parameter === added.parameter && one.change === added.change,
    )
    if (!isKnown) this.adjustments.push(added)
  }
}
