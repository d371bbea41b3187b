import { create } from 'zustand'
import type { StreamCommand, ChatStreamEvent } from '../../../shared/ipc.ts'

/** The text of each answer that is still arriving, by message id. */
export const useLiveAnswers = create<Record<string, string>>(() => ({}))

/** Deltas are gathered this long, so that a fast model costs one drawing a frame. */
const frameMs = 16

export interface AnswerStream {
  /** Asks for the end; what has arrived is kept. */
  stop(): void
}

/**
 * Follows one answer until its end.
 * @param onEnd  gets the end, or null when the stream broke off without one
 */
export function followAnswer(
  messageId: string,
  port: MessagePort,
  onEnd: (end: Extract<ChatStreamEvent, { kind: 'end' }> | null) => void,
): AnswerStream {
  let gathered = ''
  let timer: ReturnType<typeof setTimeout> | null = null

  function show(): void {
    timer = null
    const arrived = gathered
    gathered = ''
    useLiveAnswers.setState((live) => ({ [messageId]: (live[messageId] ?? '') + arrived }))
  }

  function finish(end: Extract<ChatStreamEvent, { kind: 'end' }> | null): void {
    if (timer) clearTimeout(timer)
    show()
    port.removeEventListener('close', breakOff)
    port.close()
    onEnd(end)
    useLiveAnswers.setState(({ [messageId]: _ended, ...others }) => others, true)
  }

  function breakOff(): void {
    finish(null)
  }

  useLiveAnswers.setState({ [messageId]: '' })
  port.addEventListener('message', ({ data }: MessageEvent<ChatStreamEvent>) => {
    if (data.kind === 'end') return finish(data)
    gathered += data.text
    timer ??= setTimeout(show, frameMs)
  })
  port.addEventListener('close', breakOff)
  port.start()
  const stop: StreamCommand = { kind: 'stop' }
  return { stop: () => port.postMessage(stop) }
}
