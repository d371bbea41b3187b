import type { ChatMessage } from '../../../shared/chat/chat.ts'
import type { SessionStep } from '../../../shared/requests/session-step.ts'
import { textsOf } from './request-forms.ts'
import { marksOf } from './step-class.ts'

/** Characters read at each end of a longer result. */
const endsOfResult = 2_000

/** The marks of a tool's result. */
export function marksOfMessage(result: ChatMessage): SessionStep['marks'] {
  const text = textsOf(result).join('\n')
  const ends =
    text.length > 2 * endsOfResult ? text.slice(0, endsOfResult) + text.slice(-endsOfResult) : text
  return marksOf(ends, result['is_error'] === true)
}
