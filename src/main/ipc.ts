/**
 * Receives the window's calls and checks which page calls. The only file that uses ipcMain. It loads before the service's
 * code, so that the window can open first; call-handlers.ts checks the input and does what is called.
 */
import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron'
import type { IpcAnswer, IpcCallName, IpcFailure } from '../shared/ipc.ts'
import { reportBug } from './bugs.ts'
import { isOwnPage } from './own-windows.ts'
import { windowOrigin } from './protocol.ts'

/** Answers one call of a window, whose name and input are still unchecked. */
export type AnswerCall = (
  name: unknown,
  input: unknown,
  caller: WebContents,
) => Promise<IpcAnswer<IpcCallName>>

export interface CallReceiver {
  /** Resolves when the window has drawn its first page. */
  readonly firstPageDrawn: Promise<void>
  /** Calls that arrived before are answered now. */
  answerWith(answer: AnswerCall): void
}

/** Receives the windows' calls from now on. */
export function receiveCalls(): CallReceiver {
  const answering = Promise.withResolvers<AnswerCall>()
  const firstPageDrawn = Promise.withResolvers<void>()
  ipcMain.handle('modelport:call', async (event, name: unknown, input: unknown) => {
    if (!isOurWindow(event)) {
      reportBug('ipc', new Error('a call from a frame that is not the window was refused'))
      return refused('forbidden', 'This page may not call Modelport.')
    }
    if (name === firstCallAfterDrawing) firstPageDrawn.resolve()
    const answer = await answering.promise
    return answer(name, input, event.sender)
  })
  return { firstPageDrawn: firstPageDrawn.promise, answerWith: answering.resolve }
}

/** See the renderer's shell/start-gate.tsx. */
const firstCallAfterDrawing: IpcCallName = 'start:state'

export function refused(code: string, message: string): { ok: false; error: IpcFailure } {
  return { ok: false, error: { code, message, field: null } }
}

function isOurWindow({ sender, senderFrame }: IpcMainInvokeEvent): boolean {
  return (
    senderFrame !== null &&
    isOwnPage(sender) &&
    senderFrame === sender.mainFrame &&
    senderFrame.origin === windowOrigin
  )
}
