/** An answer's way to the window: a MessagePort, with the text put together frame by frame. */
import { MessageChannelMain, type MessagePortMain } from 'electron'
import type { ChatAnswer } from '../service/service.ts'
import type { ChatStreamEvent } from '../shared/ipc.ts'
import { reportBug } from './bugs.ts'

/** One frame at 60 Hz: the window cannot draw more often, and a fast model sends far more often. */
const frameMs = 16

/**
 * Streams the answer; resolves the port that the window gets. `stop` through it aborts the answer.
 * A port that is closed only detaches: the answer goes on and is stored.
 */
export function streamAnswer(answer: ChatAnswer): MessagePortMain {
  const { port1, port2 } = new MessageChannelMain()
  port1.on('message', ({ data }) => {
    if (isStop(data)) answer.stop()
  })
  port1.start()
  pump(answer, (event) => port1.postMessage(event))
    .catch((error: unknown) => reportBug('chat stream', error))
    .finally(() => port1.close())
  return port2
}

/** Posts the answer's text at most once a frame, then its end. */
export async function pump(
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

function isStop(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'stop'
  )
}
