import { ServiceError } from '../errors.ts'

/** The same request would be refused again, so it is not one to retry. */
export function modelRefused(refusal: string): ServiceError {
  return new ModelRefused('invalid_parameter', `the model refused: ${refusal}`)
}

class ModelRefused extends ServiceError {}

/** A candidate's answer, or its model's refusal: the others are judged without it. */
export async function unlessRefused<Answer>(
  answer: Promise<Answer>,
): Promise<Answer | ModelRefused> {
  return await answer.catch((error: unknown) => {
    if (error instanceof ModelRefused) return error
    throw error
  })
}

/** @throws the first refusal when there is no answer */
export function withoutRefusals<Answer>(answers: readonly (Answer | ModelRefused)[]): Answer[] {
  const given = answers.flatMap((answer) => (answer instanceof ModelRefused ? [] : [answer]))
  const [first] = answers
  if (given.length === 0 && first instanceof ModelRefused) throw first
  return given
}
