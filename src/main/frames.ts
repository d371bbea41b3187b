import type { ChatAnswer } from '../service/service.ts'
import type { AnswerDelta, ChatStreamEvent } from '../shared/chat/chat-stream.ts'

/** One frame at 60 Hz: the window cannot draw more often, and a fast model sends far more often. */
const frameMs = 16

/** Posts the answer's text and reasoning at most once a frame, then its end. */
export async function postFrames(
  answer: Pick<ChatAnswer, 'deltas' | 'finished'>,
  post: (event: ChatStreamEvent) => void,
): Promise<void> {
  let grown: AnswerDelta = { text: '', reasoning: '' }
  let timer: NodeJS.Timeout | null = null
  const flush = () => {
    timer = null
    if (grown.text !== '' || grown.reasoning !== '' || grown.steps)
      post({ kind: 'delta', ...grown })
    grown = { text: '', reasoning: '' }
  }
  for await (const { text, reasoning, steps = grown.steps } of answer.deltas) {
    const texts = { text: grown.text + text, reasoning: grown.reasoning + reasoning }
    grown = { ...texts, ...(steps && { steps }) }
    timer ??= setTimeout(flush, frameMs)
  }
  if (timer !== null) clearTimeout(timer)
  flush()
  post({ kind: 'end', ...(await answer.finished) })
}
