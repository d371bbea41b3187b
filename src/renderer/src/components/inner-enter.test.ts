import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { innerEnter } from './inner-enter.ts'

class Input extends EventTarget {}

beforeEach(() => void vi.stubGlobal('HTMLInputElement', Input))
afterEach(() => void vi.unstubAllGlobals())

/** How often the inner action ran, and how often the form was kept from being submitted. */
function press(key: string, { isComposing = false, target = new Input() } = {}) {
  const action = vi.fn<() => void>()
  const preventDefault = vi.fn<() => void>()
  innerEnter(action)({ key, target, preventDefault, nativeEvent: { isComposing } as never })
  return [action.mock.calls.length, preventDefault.mock.calls.length]
}

test('Enter in an inner field runs its own action and does not submit the form around it', () => {
  expect(press('Enter')).toEqual([1, 1])
  expect(press('a')).toEqual([0, 0])
})

test('Enter that ends a composed character, and Enter on a button, stay as they are', () => {
  expect(press('Enter', { isComposing: true })).toEqual([0, 0])
  expect(press('Enter', { target: new EventTarget() })).toEqual([0, 0])
})
