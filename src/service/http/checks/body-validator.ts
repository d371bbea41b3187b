/** Validators of bodies by JSON schema. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'

export interface BodyValidator<Body> {
  accepts(body: unknown): body is Body
  /** Errors of the body that was refused last. */
  errors(): readonly ErrorObject[]
}

// Checking the schemas takes ten times as long as compiling them; a test does it (body-validator.test.ts).
const ajv = new Ajv({ meta: false, validateSchema: false })

/** Compiles the schema when the first body arrives: compiling all would delay every start by 50 to 200 ms. */
export function bodyValidator<Body>(schema: object): BodyValidator<Body> {
  let compiled: ValidateFunction<Body> | null = null
  return {
    accepts: (body): body is Body => (compiled ??= ajv.compile<Body>(schema))(body),
    errors: () => compiled?.errors ?? [],
  }
}
