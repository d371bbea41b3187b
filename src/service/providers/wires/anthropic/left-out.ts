/** What a request loses or changes on its way into this wire's form, for the decision and the header. */
import type { Adjustment } from '../../../../shared/model-abilities.ts'

export class LeftOut {
  readonly adjustments: Adjustment[] = []

  leave(parameter: string, reason: string): void {
    this.adjustments.push({ parameter, change: 'left_out', reason })
  }

  send(parameter: string, change: `sent_as_${string}`, reason: string): void {
    this.adjustments.push({ parameter, change, reason })
  }
}
