import { expect, test } from 'vitest'
import { keyState } from './key-state.ts'

const dayMs = 86_400_000
const nowMs = 1_000 * dayMs
const young = { createdAtMs: nowMs - dayMs, expiresAtMs: null, revokedAtMs: null }
const stateOf = (changes: Partial<typeof young | Record<string, number>>, isReplaced = false) =>
  keyState({ ...young, ...changes }, { nowMs, isReplaced })

test('a young key has nothing to say and can be rotated', () => {
  expect(stateOf({})).toMatchObject({ isUsable: true, canRotate: true, isOld: false, text: null })
})

test('a key is old after 90 days, but not on the 90th', () => {
  expect(stateOf({ createdAtMs: nowMs - 90 * dayMs }).isOld).toBe(false)
  expect(stateOf({ createdAtMs: nowMs - 90 * dayMs - 1 }).isOld).toBe(true)
})

test('a key that was rotated says when it ends and cannot be rotated again', () => {
  const state = stateOf({ createdAtMs: nowMs - 100 * dayMs, expiresAtMs: nowMs + dayMs }, true)

  expect(state).toMatchObject({ isUsable: true, canRotate: false, isOld: false, tone: 'warn' })
  expect(state.text).toBe('replaced, ends tomorrow')
  expect(stateOf({ expiresAtMs: nowMs }, true)).toMatchObject({ isUsable: false, text: 'replaced' })
})

test('a key says that it expires in the week before', () => {
  expect(stateOf({ expiresAtMs: nowMs + 8 * dayMs }).text).toBeNull()
  expect(stateOf({ expiresAtMs: nowMs + 3 * dayMs }).text).toBe('expires in 3 days')
  expect(stateOf({ expiresAtMs: nowMs })).toMatchObject({ isUsable: false, text: 'expired' })
})

test('a revoked key is not expired', () => {
  const state = stateOf({ revokedAtMs: nowMs - 2 * dayMs, expiresAtMs: nowMs - dayMs })

  expect(state).toMatchObject({ isUsable: false, canRotate: false, text: 'revoked 2 days ago' })
})
