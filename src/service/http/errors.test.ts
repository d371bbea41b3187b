import { expect, test } from 'vitest'
import { toServiceError } from './errors.ts'

test('a bug of ours is a 500 that tells nothing of it, and is told to us', () => {
  const bug = new Error('cannot open /home/somebody/modelport.db')
  const told: unknown[] = []

  const error = toServiceError(bug, (one) => told.push(one))

  expect(error.status).toBe(500)
  expect(error.toBody()).toEqual({
    error: {
      message: 'Something went wrong in Modelport. Try again.',
      type: 'api_error',
      param: null,
      code: 'internal_error',
    },
  })
  expect(told).toEqual([bug])
})
