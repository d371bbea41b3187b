/** A request's own text, which goes on to providers of its form. */
import { ServiceError } from '../errors.ts'
import { repeatedName, withMembers } from '../providers/json-members.ts'

/** The upstream might read the first of two fields, and this program has read the last. @throws ServiceError */
export function refuseRepeatedField(text: string): void {
  const name = repeatedName(text)
  if (name === null) return
  throw new ServiceError('invalid_parameter', `"${name}" is given more than once.`, { param: name })
}

export function withoutMembers(text: string, names: readonly string[]): string {
  if (names.length === 0) return text
  return withMembers(text, Object.fromEntries(names.map((name) => [name, null])))
}
