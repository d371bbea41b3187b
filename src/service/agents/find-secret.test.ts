/** Keys are found, and hostile text is searched in linear time. */
import { describe, expect, test } from 'vitest'
import { findSecret } from './find-secret.ts'

describe('a key or token', () => {
  test.each([
    ['a key of a provider', 'key: sk-proj-abcdefghijklmnop1', 5],
    ['a key after a dash', 'x-gsk_abcdefghijklmnop1', 2],
    ['a key with an earlier prefix in it', 'sk-sk-abcdefghijklmnop1', 0],
    ['a key of Google', `AIza${'a'.repeat(30)}`, 0],
    ['a signed token', 'bearer eyJhbGciOiJI.eyJzdWIi', 7],
  ])('is found at its start: %s', (_what, text, place) => {
    expect(findSecret(text)).toBe(place)
  })

  test.each([
    ['a prefix with a short rest', 'sk-short1'],
    ['a name without a digit', 'sk-a-name-of-some-words-joined'],
    ['a prefix inside of a word', 'ask-abcdefghijklmnop1'],
    ['a token of one part', 'eyJhbGciOiJI.x'],
  ])('is not found in %s', (_what, text) => {
    expect(findSecret(text)).toBeNull()
  })
})

// A search that looks ahead from each prefix takes minutes for the first text and exceeds the test's time limit.
test.each(['sk-', 'eyJ', 'AIza', 'sk-1 '])('600,000 characters of "%s" are searched', (part) => {
  expect(findSecret(part.repeat(600_000 / part.length))).toBe(part === 'AIza' ? 0 : null)
})
