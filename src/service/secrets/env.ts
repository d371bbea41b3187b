/** Keys from environment variables: read only, and first in the order. */

export type Environment = Readonly<Record<string, string | undefined>>

/** `my-openai` is read from `MODELPORT_KEY_MY_OPENAI`. */
export function secretVariable(providerId: string): string {
  return `MODELPORT_KEY_${providerId.toUpperCase().replaceAll('-', '_')}`
}

/** The provider's key from its variable; null when the variable is unset or empty. */
export function environmentSecret(env: Environment, providerId: string): string | null {
  return env[secretVariable(providerId)] || null
}
