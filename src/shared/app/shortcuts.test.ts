import { expect, test } from 'vitest'
import { acceleratorOf, isPressed, shortcutText, type KeyPress } from './shortcuts.ts'

function press(key: string, held: Partial<KeyPress> = {}): KeyPress {
  const none = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false }
  return { key, code: '', ...none, ...held }
}

test('a shortcut is written with signs on a Mac and with words elsewhere', () => {
  expect(shortcutText('Mod+Shift+C', 'mac')).toBe('⌘⇧C')
  expect(shortcutText('Mod+Shift+C', 'other')).toBe('Ctrl+Shift+C')
  expect(shortcutText({ mac: 'Mod+[', other: 'Alt+ArrowLeft' }, 'other')).toBe('Alt+←')
  expect(shortcutText('?', 'mac')).toBe('?')
})

test('a shortcut needs exactly its modifiers', () => {
  expect(isPressed(press('k', { ctrlKey: true }), 'Mod+K', 'other')).toBe(true)
  expect(isPressed(press('k', { metaKey: true }), 'Mod+K', 'mac')).toBe(true)
  expect(isPressed(press('k', { ctrlKey: true }), 'Mod+K', 'mac')).toBe(false)
  expect(isPressed(press('K', { ctrlKey: true, shiftKey: true }), 'Mod+K', 'other')).toBe(false)
  expect(isPressed(press('k'), 'Mod+K', 'other')).toBe(false)
})

test('digits are found on keyboards that need Shift for them', () => {
  const french = press('&', { ctrlKey: true, code: 'Digit1' })
  expect(isPressed(french, 'Mod+1', 'other')).toBe(true)
})

test('a question mark counts however the keyboard writes it', () => {
  expect(isPressed(press('?', { shiftKey: true }), '?', 'other')).toBe(true)
  expect(isPressed(press('?', { ctrlKey: true, shiftKey: true }), '?', 'other')).toBe(false)
})

test('the menu gets Electron’s names, and no accelerator for a single key', () => {
  expect(acceleratorOf('Mod+Shift+C', 'mac')).toBe('CommandOrControl+Shift+C')
  expect(acceleratorOf({ mac: 'Mod+[', other: 'Alt+ArrowLeft' }, 'other')).toBe('Alt+Left')
  expect(acceleratorOf('?', 'other')).toBeNull()
})
