import { MessageChannelMain, type MessagePortMain } from 'electron'
import type { ChatAnswer } from '../service/service.ts'
import { reportBug } from './bugs.ts'
import { postFrames } from './frames.ts'

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
  postFrames(answer, (event) => port1.postMessage(event))
    .catch((error: unknown) => reportBug('chat stream', error))
    .finally(() => port1.close())
  return port2
}

function isStop(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'stop'
  )
}
