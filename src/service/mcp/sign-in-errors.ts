import { UnauthorizedError } from '@modelcontextprotocol/client'

/** A server that wants another sign-in after each one is not asked for ever. */
export const signInsAtMost = 3

export function isSignInMissing(error: unknown): boolean {
  return error instanceof UnauthorizedError
}
