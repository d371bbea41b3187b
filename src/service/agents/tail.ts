/** The place of the step whose text is the agent's answer, unchanged. */
import type { ModelQuestion } from './model-question.ts'

export interface Tail {
  /** Null for an answer that is not streamed. */
  onText: ModelQuestion['onText']
  hasBegun: boolean
}

/** Passes the text on and remembers that it has begun. */
export function onTextOf(tail: Tail | null): ModelQuestion['onText'] {
  const send = tail?.onText
  if (!tail || !send) return null
  return async (text) => {
    tail.hasBegun = true
    await send(text)
  }
}
