import { MessageChannelMain, type MessagePortMain } from 'electron'
import type { ChatAnswer, TestRun } from '../service/service.ts'
import type { AgentRunEvent } from '../shared/agents/agent-window.ts'
import { reportBug } from './bugs.ts'
import { postFrames } from './frames.ts'

/**
 * Streams the answer through a port for the window. The message `stop` aborts the answer. Closing the port only
 * detaches the window: the answer continues and is stored.
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

/** Streams the events of an agent's run. The message `stop` or closing the port ends the run. */
export function streamTestRun(
  start: (tell: (event: AgentRunEvent) => void) => TestRun,
): MessagePortMain {
  const { port1, port2 } = new MessageChannelMain()
  const run = start((event) => port1.postMessage(event))
  port1.on('message', ({ data }) => {
    if (isStop(data)) run.stop()
  })
  // Nothing else waits for the run.
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
