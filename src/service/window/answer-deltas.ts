import type { AnswerDelta } from '../../shared/chat/chat-stream.ts'

/** An unbounded queue of deltas. Dropping the reader does not stop the writer. */
export function openDeltas() {
  let isRead = true
  let controller: ReadableStreamDefaultController<AnswerDelta> | null = null
  const deltas = new ReadableStream<AnswerDelta>({
    start: (opened) => void (controller = opened),
    cancel: () => void (isRead = false),
  })
  return {
    deltas,
    push: (delta: AnswerDelta) => isRead && controller?.enqueue(delta),
    end: () => isRead && controller?.close(),
  }
}
