import { expect, test } from 'vitest'
import { toServiceError } from './errors.ts'

test('an unexpected error is reported internally; the 500 contains none of its text', () => {
  const bug = new Error('cannot open /home/somebody/modelport.db')
  const told: unknown[] = []

  const error = toServiceError(bug, (...one) => told.push(one), 'request-1')

  expect(error.status).toBe(500)
  expect(error.toBody()).toEqual({
    error: {
      message: 'Something went wrong in Modelport. Try again.',
      type: 'api_error',
      param: null,
      code: 'internal_error',
    },
  })
  expect(told).toEqual([[bug, 'request-1']])
})
