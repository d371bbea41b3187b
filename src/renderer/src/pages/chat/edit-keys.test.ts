import { expect, test } from 'vitest'
import { editAction } from './edit-keys.ts'

function press(key: string, { shiftKey = false, isComposing = false } = {}) {
  return editAction({ key, shiftKey, nativeEvent: { isComposing } })
}

test('Enter sends an edited question, Shift + Enter starts a line, and Escape cancels', () => {
  expect(press('Enter')).toBe('send')
  expect(press('Enter', { shiftKey: true })).toBeNull()
  expect(press('Escape')).toBe('cancel')
  expect(press('a')).toBeNull()
})

test('during composition, Enter and Escape belong to the input method', () => {
  expect(press('Enter', { isComposing: true })).toBeNull()
  expect(press('Escape', { isComposing: true })).toBeNull()
})
