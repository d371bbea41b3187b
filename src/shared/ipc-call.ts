import { z } from 'zod'

/** A call of the window: the schema of its input and the type of its result. */
export interface IpcCall<Input extends z.ZodType, Result> {
  input: Input
  /** Type of the result; no such value exists at run time. */
  result?: Result
}

/** `call(input).returns<Result>()` */
export function call<Input extends z.ZodType>(
  input: Input,
): { returns: <Result>() => IpcCall<Input, Result> } {
  return { returns: () => ({ input }) }
}

/** The input of a call that needs none. */
export const nothing = z.undefined()
