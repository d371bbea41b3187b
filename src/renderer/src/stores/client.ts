import type {
  IpcCallName,
  IpcEventName,
  IpcEvents,
  IpcInput,
  IpcOutput,
} from '../../../shared/ipc.ts'

/** A call the main process refused; `message` is in its words, for a person. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly code: string
  /** The field of the input that is wrong, dotted; null where it is not about one. */
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
 * One call to the main process.
 * @throws CallError when it refuses
 */
export async function call<Name extends IpcCallName>(
  name: Name,
  ...[input]: CallArguments<Name>
): Promise<IpcOutput<Name>> {
  // `CallArguments` is empty just where the input is undefined, which the compiler cannot see.
  const answer = await window.modelport.call(name, input as IpcInput<Name>)
  if (!answer.ok) throw new CallError(answer.error)
  return answer.value
}

/** Hears what the main process tells unasked; the result stops it. */
export function listen<Name extends IpcEventName>(
  name: Name,
  listener: (payload: IpcEvents[Name]) => void,
): () => void {
  return window.modelport.on(name, listener)
}

/** Anything thrown, as the error a form or a page can show. */
export function toCallError(error: unknown): CallError {
  if (error instanceof CallError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new CallError({ code: 'unexpected', message, field: null })
}

/**
 * What an error says of one field of a form, or of a part of it; null when it is about something else.
 * @param field  dotted where a part is meant: `routing.regions`
 */
export function errorOf(error: CallError | null, field: string): string | null {
  // A router's own fields stand under `router` when it is updated.
  const path = error?.field?.replace(/^router\./, '') ?? ''
  return error && (path === field || path.startsWith(`${field}.`)) ? error.message : null
}

/** The error, unless one of these fields shows it. */
export function errorBeside(error: CallError | null, fields: readonly string[]): CallError | null {
  return fields.some((field) => errorOf(error, field) !== null) ? null : error
}
