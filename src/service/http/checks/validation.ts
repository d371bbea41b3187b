/** The body's checks: an invalid body gets a 400 that names the field and the fix. Nothing is corrected. */
import { ServiceError } from '../../errors.ts'
import { bodyValidator, type BodyValidator } from './body-validator.ts'
import { hasMoreValuesThan } from './json-values.ts'
import { rulesOf, type RequestForm } from '../answers/request-forms.ts'
import { validationError } from './validation-error.ts'
import { refuseUnsafeFields } from './unsafe-fields.ts'

/** Deeper than any real tool schema; a body with much deeper nesting could not be serialized again. */
const deepestNesting = 500

/** A conversation of 1,000 messages with its tools has about 15,000 values. */
const usualMostValues = 50_000

/** Refuses a body with too many values before it is parsed. @throws ServiceError invalid_parameter */
export function refuseCrowdedBody(text: string, form: RequestForm): void {
  const { mostValues = usualMostValues } = rulesOf(form)
  if (!hasMoreValuesThan(mostValues, text)) return
  throw new ServiceError(
    'invalid_parameter',
    `The body has more than ${mostValues} values (members of objects and items of lists).`,
  )
}

const validators = new Map<RequestForm, BodyValidator<object>>()

/** @throws ServiceError missing_required_parameter, invalid_parameter */
export function checkBodyOf(form: RequestForm, body: unknown): void {
  const { schema, check, refusal, withheld } = rulesOf(form)
  const validator = validators.get(form) ?? bodyValidator<object>(schema)
  validators.set(form, validator)
  if (!validator.accepts(body)) {
    const found = validator.errors()
    throw refusal?.(body, found) ?? validationError(found)
  }
  refuseDeepBody(body)
  check?.(body)
  refuseUnsafeFields(body, withheld)
}

/** @throws ServiceError invalid_parameter */
function refuseDeepBody(body: object): void {
  if (!isDeeperThan(body, deepestNesting)) return
  throw new ServiceError(
    'invalid_parameter',
    `The body is nested more than ${deepestNesting} levels deep.`,
  )
}

function isDeeperThan(value: object, levels: number): boolean {
  if (levels === 0) return true
  const children: unknown[] = Array.isArray(value) ? value : Object.values(value)
  for (const child of children) {
    // Most values are strings and numbers, which need no call.
    if (typeof child === 'object' && child !== null && isDeeperThan(child, levels - 1)) return true
  }
  return false
}
