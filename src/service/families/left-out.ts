/** What a request loses or changes on its way into a vendor's form, for the decision and the header. */
import type { ChatRequest, WireFields } from '../../shared/chat/chat.ts'
import type { Adjustment } from '../../shared/models/model-abilities.ts'
import { fieldsOf, listOf } from '../json-fields.ts'
import { ProviderError } from '../providers/provider.ts'

/** Values that mean the same as an absent field. */
const defaults: Readonly<Record<string, unknown>> = {
  n: 1,
  logprobs: false,
  top_logprobs: 0,
  presence_penalty: 0,
  frequency_penalty: 0,
}

export class LeftOut {
  readonly adjustments: Adjustment[] = []

  leave(parameter: string, reason: string): void {
    this.#add({ parameter, change: 'left_out', reason })
  }

  /** Leaves out every field that the wire does not read. */
  leaveUnknown(body: ChatRequest, read: ReadonlySet<string>, reason: string): void {
    for (const [name, value] of Object.entries(body)) {
      const isEmpty = value === null || value === undefined || value === defaults[name]
      if (!read.has(name) && !isEmpty) this.leave(name, reason)
    }
  }

  /** Leaves out the fields of a caller's form that other vendors do not have. */
  leaveForeign(fields: WireFields, known: ReadonlySet<string>): void {
    for (const [name, value] of Object.entries(fields)) {
      if (known.has(name) || value === null || value === undefined) continue
      // The names are sent in a header.
      const parameter = /^[\w.-]{1,64}$/.test(name) ? name : 'other_fields'
      this.leave(parameter, 'only the vendor’s own models take it')
    }
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

export function hasCacheMark({ messages, tools }: ChatRequest): boolean {
  const marked: readonly unknown[] = [
    ...messages,
    ...messages.flatMap(({ content }) => listOf(content)),
    ...(tools ?? []),
  ]
  return marked.some((each) => (fieldsOf(each)['cache_control'] ?? null) !== null)
}

export function hasFailedResult({ messages }: ChatRequest): boolean {
  return messages.some(({ is_error }) => is_error === true)
}

/** What a translation leaves out; nothing where it refuses, because the request itself reports that. */
export function leftOutBy(
  translate: () => { leftOut: readonly Adjustment[] },
): readonly Adjustment[] {
  try {
    return translate().leftOut
  } catch (error) {
    if (error instanceof ProviderError) return []
    throw error
  }
}
