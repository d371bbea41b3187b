import type { IpcCallName, IpcFailure, IpcInput, IpcOutput } from '../../src/shared/ipc.ts'

/** The handlers of the calls whose names have this form. */
export type HandlersOf<Form extends string> = {
  [Name in Extract<IpcCallName, Form>]: (
    input: IpcInput<Name>,
  ) => IpcOutput<Name> | Promise<IpcOutput<Name>>
}

/** Passes a stream's port to the window. */
export interface PortReceiver {
  postMessage(message: unknown, targetOrigin: string, transfer: Transferable[]): void
}

/** The reason a call is refused; thrown by handlers. */
export class Refusal extends Error {
  readonly failure: IpcFailure

  constructor(code: string, text: string, field: string | null = null) {
    super(text)
    this.failure = { code, message: text, field }
  }
}

/** @throws Refusal when nothing has this id */
export function found<Item extends { id: string }>(items: readonly Item[], id: string): Item {
  const item = items.find((candidate) => candidate.id === id)
  if (!item) throw new Refusal('not_found', `There is no ${id}.`)
  return item
}
