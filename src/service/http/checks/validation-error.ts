/** What a schema found in a body, as an error that names the field. */
import type { ErrorObject } from 'ajv'
import { ServiceError } from '../../errors.ts'

/** Turns the validator's finding into an error that names the field. */
export function validationError(errors: readonly ErrorObject[]): ServiceError {
  const error = mostUsefulError(errors)
  const field = fieldOf(error.instancePath)
  if (error.keyword === 'required') {
    return missing([field, String(error.params['missingProperty'])].filter(Boolean).join('.'))
  }
  const subject = field === '' ? 'The body' : `"${field}"`
  const param = field === '' ? {} : { param: field }
  return new ServiceError('invalid_parameter', `${subject} ${wordsOf(error, errors)}.`, param)
}

/**
 * The most useful error of a union's branches. The deepest is from the branch that the value nearly matched. Among
 * equally deep ones a missed bound is more useful than a wrong type, and "no type fits" more than a single wrong type.
 */
function mostUsefulError(errors: readonly ErrorObject[]): ErrorObject {
  const depth = Math.max(...errors.map(depthOf))
  const deepest = errors.filter((error) => depthOf(error) === depth)
  const [first] = [
    ...deepest.filter(({ keyword }) => keyword !== 'type' && keyword !== 'anyOf'),
    ...deepest.filter(({ keyword }) => keyword === 'anyOf'),
    ...deepest,
  ]
  // The validator calls this only after a failure.
  if (!first) throw new Error('there is no validation error')
  return first
}

function depthOf({ instancePath }: ErrorObject): number {
  return instancePath.split('/').length
}

function wordsOf(error: ErrorObject, errors: readonly ErrorObject[]): string {
  const { keyword, params, message } = error
  const allowed: unknown = params['allowedValues']
  if (keyword === 'enum' && Array.isArray(allowed)) return `must be one of ${allowed.join(', ')}`
  if (keyword === 'minItems') return 'must not be empty'
  if (keyword === 'anyOf' || keyword === 'type') return `must be ${typesAt(error, errors)}`
  return message ?? 'has a value that is not accepted'
}

const typeWords: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  integer: 'an integer',
  number: 'a number',
  object: 'an object',
  string: 'a string',
}

/** `a string or an array`: the types of all branches of the union that the value missed. */
function typesAt({ instancePath }: ErrorObject, errors: readonly ErrorObject[]): string {
  const types = errors
    .filter((error) => error.keyword === 'type' && error.instancePath === instancePath)
    .flatMap(({ params }) => String(params['type']).split(','))
    .flatMap((type) => typeWords[type] ?? [])
  return [...new Set(types)].join(' or ')
}

/** `/messages/0/role` as callers write it: `messages[0].role`. */
function fieldOf(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), '')
}

function join(path: string, part: string): string {
  return path === '' ? part : `${path}.${part}`
}

export function missing(field: string): ServiceError {
  return new ServiceError('missing_required_parameter', `"${field}" is required.`, { param: field })
}
