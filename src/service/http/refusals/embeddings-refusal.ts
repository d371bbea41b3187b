/** Words for an `input` of embeddings that no form of it accepts. */
import type { ErrorObject } from 'ajv'
import { mostInputs } from '../../../shared/models/embeddings.ts'
import { ServiceError } from '../../errors.ts'
import { validationError } from '../checks/validation-error.ts'

/** The validator knows four forms of `input` and cannot tell which one the caller meant. */
export function embeddingsRefusal(body: unknown, errors: readonly ErrorObject[]): ServiceError {
  const error = validationError(errors)
  if (error.code !== 'invalid_parameter' || error.param?.startsWith('input') !== true) return error
  const { input } = Object(body) as { input?: unknown }
  if (Array.isArray(input) && input.length > mostInputs && !isToken(input[0])) {
    const tooMany = `"input" has ${input.length} inputs, and the maximum is ${mostInputs}. Send several requests.`
    return new ServiceError('invalid_parameter', tooMany, { param: 'input' })
  }
  const param = Array.isArray(input) && input.length > 0 ? `input[${oddOneOut(input)}]` : 'input'
  const message = `"${param}" is not accepted: "input" is a text, a list of texts, a list of tokens or a list of lists of tokens, and none of them is empty.`
  return new ServiceError('invalid_parameter', message, { param })
}

/** The first item that is not valid, or not of the first one's kind. */
function oddOneOut([first, ...others]: readonly unknown[]): number {
  const kind = [isText, isToken, isTokenList].find((isOfKind) => isOfKind(first))
  return kind === undefined ? 0 : 1 + others.findIndex((item) => !kind(item))
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isToken(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0
}

function isTokenList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isToken)
}
