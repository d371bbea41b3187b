import type { ChatAnswer } from '../service/service.ts'
import type { ChatStreamEvent } from '../shared/chat/chat-stream.ts'

/** One frame at 60 Hz: the window cannot draw more often, and a fast model sends far more often. */
const frameMs = 16

/** Posts the answer's text at most once a frame, then its end. */
export async function postFrames(
  answer: Pick<ChatAnswer, 'deltas' | 'finished'>,
  post: (event: ChatStreamEvent) => void,
): Promise<void> {
  let text = ''
  let timer: NodeJS.Timeout | null = null
  const flush = () => {
    timer = null
    if (text !== '') post({ kind: 'delta', text })
    text = ''
  }
  for await (const delta of answer.deltas) {
    text += delta
    timer ??= setTimeout(flush, frameMs)
  }
  if (timer !== null) clearTimeout(timer)
  flush()
  post({ kind: 'end', ...(await answer.finished) })
}
