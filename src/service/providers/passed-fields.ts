/** Fields of an upstream's answer that Modelport passes on without reading them. */
import type { WireFields } from '../../shared/chat/chat.ts'
import { ProviderError } from './provider.ts'

/** Values nested deeper could not be serialized again. */
const deepestNesting = 500

/** @returns the fields that are not in `known` and have a value; null if there are none */
export function otherFields(
  fields: WireFields,
  known: ReadonlySet<string>,
): Record<string, unknown> | null {
  let others: Record<string, unknown> | null = null
  for (const name in fields) {
    if (known.has(name) || name === '__proto__') continue
    const value = fields[name]
    if (isEmpty(value)) continue
    others ??= {}
    others[name] = passedValue(value)
  }
  return others
}

/** @returns null, an empty text or an empty list: in a stream, these mean the same as an absent field */
export function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  )
}

/** @throws ProviderError invalid_response for a value that is nested too deep */
export function passedValue(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) refuseDeep(value, deepestNesting)
  return value
}

function refuseDeep(value: object, levels: number): void {
  if (levels === 0) {
    throw new ProviderError(
      'invalid_response',
      `the answer is nested more than ${deepestNesting} levels deep`,
    )
  }
  const children: unknown[] = Object.values(value)
  for (const child of children) {
    if (typeof child === 'object' && child !== null) refuseDeep(child, levels - 1)
  }
}
