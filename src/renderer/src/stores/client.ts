import type {
  IpcCallName,
  IpcEventName,
  IpcEvents,
  IpcInput,
  IpcOutput,
} from '../../../shared/ipc.ts'

/** A call that the main process rejected. `message` is meant for users. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly code: string
  /** The dotted path of the invalid input field; null when the error is not about a field. */
  readonly field: string | null

  constructor(failure: { code: string; message: string; field: string | null }) {
    super(failure.message)
    this.code = failure.code
    this.field = failure.field
  }
}

/** Calls without an input are written `call('app:state')`. */
type CallArguments<Name extends IpcCallName> =
  undefined extends IpcInput<Name> ? [] : [input: IpcInput<Name>]

/**
 * Calls the main process.
 * @throws CallError when it rejects the call
 */
export async function call<Name extends IpcCallName>(
  name: Name,
  ...[input]: CallArguments<Name>
): Promise<IpcOutput<Name>> {
  // `CallArguments` is empty only when the input is undefined; the compiler cannot see that.
  const answer = await window.modelport.call(name, input as IpcInput<Name>)
  if (!answer.ok) throw new CallError(answer.error)
  return answer.value
}

/** Listens for an event of the main process. @returns a function that stops listening */
export function listen<Name extends IpcEventName>(
  name: Name,
  listener: (payload: IpcEvents[Name]) => void,
): () => void {
  return window.modelport.on(name, listener)
}

/** Converts anything thrown to an error that a form or page can show. */
export function toCallError(error: unknown): CallError {
  if (error instanceof CallError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new CallError({ code: 'unexpected', message, field: null })
}

/**
 * The message for one field of a form or a part of it; null when the error is about another field.
 * @param field  dotted for nested fields: `routing.regions`
 */
export function errorOf(error: CallError | null, field: string): string | null {
  // An update nests the fields of a router under `router`.
  const path = error?.field?.replace(/^router\./, '') ?? ''
  return error && (path === field || path.startsWith(`${field}.`)) ? error.message : null
}

/** The error, or null when one of these fields shows it. */
export function errorBeside(error: CallError | null, fields: readonly string[]): CallError | null {
  return fields.some((field) => errorOf(error, field) !== null) ? null : error
}
