import type { WebContents } from 'electron'
import type { z } from 'zod'
import type { IpcCallName, IpcCalls, IpcOutput } from '../shared/ipc.ts'

/** A handler for each call of a window. */
export type Handlers = {
  [Name in IpcCallName]: (
    input: z.output<IpcCalls[Name]['input']>,
    /** The page that calls. */
    caller: WebContents,
  ) => IpcOutput<Name> | Promise<IpcOutput<Name>>
}
