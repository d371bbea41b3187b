import { MessageChannelMain, type MessagePortMain, type WebContents } from 'electron'
import type { ChatAnswer, TestRun } from '../service/service.ts'
import type { AgentRunEvent } from '../shared/agents/agent-window.ts'
import type { ChatStreamEvent } from '../shared/chat/chat-stream.ts'
import type { StreamPortMessage } from '../shared/ipc.ts'
import { reportBug } from './bugs.ts'
import { postFrames } from './frames.ts'

/** Hands a page the port of a stream. */
export function sendPort(page: WebContents, streamId: string, port: MessagePortMain): void {
  const message: StreamPortMessage = { kind: 'modelport:stream', streamId }
  page.postMessage('modelport:stream', message, [port])
}

/**
 * Streams the answer to some pages, through a port for each. The message `stop` aborts the answer. Closing a port only
 * detaches its page: the answer continues and is stored.
 */
export function streamAnswer(
  answer: ChatAnswer,
  streamId: string,
  pages: readonly WebContents[],
): void {
  const ports = pages.map((page) => {
    const { port1, port2 } = new MessageChannelMain()
    port1.on('message', ({ data }) => {
      if (isStop(data)) answer.stop()
    })
    port1.start()
    sendPort(page, streamId, port2)
    return port1
  })
  const post = (event: ChatStreamEvent) => ports.forEach((port) => port.postMessage(event))
  postFrames(answer, post)
    .catch((error: unknown) => reportBug('chat stream', error))
    .finally(() => ports.forEach((port) => port.close()))
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
