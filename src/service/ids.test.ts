import { expect, test } from 'vitest'
import { validate, version } from 'uuid'
import { createIds } from './ids.ts'

test('returns unique UUIDv7 ids that start with the time', () => {
  const newId = createIds(() => 0x0123456789ab)
  const ids = Array.from({ length: 1000 }, newId)
  expect(new Set(ids).size).toBe(1000)
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true)
  expect(ids.every((id) => id.startsWith('01234567-89ab-7'))).toBe(true)
})
