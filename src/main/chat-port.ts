import { MessageChannelMain, type MessagePortMain } from 'electron'
import type { ChatAnswer, TestRun } from '../service/service.ts'
import type { AgentRunEvent } from '../shared/agent-window.ts'
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

/** Streams what happens in a run of an agent; `stop` through the port, or its closing, ends the run. */
export function streamTestRun(
  start: (tell: (event: AgentRunEvent) => void) => TestRun,
): MessagePortMain {
  const { port1, port2 } = new MessageChannelMain()
  const run = start((event) => port1.postMessage(event))
  port1.on('message', ({ data }) => {
    if (isStop(data)) run.stop()
  })
  // Nobody looks on any more, and nobody else waits for it.
  port1.on('close', () => run.stop())
  port1.start()
  void run.finished.finally(() => port1.close())
  return port2
}

function isStop(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'stop'
  )
}
