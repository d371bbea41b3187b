import { expect, test } from 'vitest'
import { globalShortcutOf } from './quick-entry.ts'
import type { KeyPress } from './shortcuts.ts'

const none = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false }

test.each<[Partial<KeyPress>, string]>([
  [{ ctrlKey: true, shiftKey: true, key: ' ', code: 'Space' }, 'Mod+Shift+Space'],
  [{ altKey: true, key: 'q', code: 'KeyA' }, 'Alt+Q'],
  [{ metaKey: true, key: '!', code: 'Digit1', shiftKey: true }, 'Super+Shift+1'],
  [{ ctrlKey: true, key: 'F12', code: 'F12' }, 'Mod+F12'],
])('a press becomes a shortcut: %o is %s', (press, shortcut) => {
  expect(globalShortcutOf({ ...none, key: '', code: '', ...press }, 'other')).toBe(shortcut)
})

test('on a Mac, ⌘ and Control are two keys', () => {
  const press = { ...none, metaKey: true, ctrlKey: true, altKey: true, key: 'å', code: 'KeyA' }

  expect(globalShortcutOf(press, 'mac')).toBe('Mod+Control+Alt+A')
})

test.each<[string, Partial<KeyPress>]>([
  ['a letter alone', { key: 'a', code: 'KeyA' }],
  ['a capital letter', { shiftKey: true, key: 'A', code: 'KeyA' }],
  ['a modifier that is held', { ctrlKey: true, key: 'Control', code: 'ControlLeft' }],
  ['Escape', { ctrlKey: true, key: 'Escape', code: 'Escape' }],
])('%s is no shortcut', (_what, press) => {
  expect(globalShortcutOf({ ...none, key: '', code: '', ...press }, 'other')).toBeNull()
})
