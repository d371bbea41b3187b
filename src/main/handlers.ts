import type { z } from 'zod'
import type { IpcCallName, IpcCalls, IpcOutput } from '../shared/ipc.ts'

/** A handler for each call of the window. */
export type Handlers = {
  [Name in IpcCallName]: (
    input: z.output<IpcCalls[Name]['input']>,
  ) => IpcOutput<Name> | Promise<IpcOutput<Name>>
}
