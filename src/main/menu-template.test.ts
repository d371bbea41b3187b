import { expect, test } from 'vitest'
import { commands } from '../shared/app/commands.ts'
import { acceleratorOf, shortcutText } from '../shared/app/shortcuts.ts'
import { menuTemplate } from './menu-template.ts'

const platforms = ['mac', 'other'] as const

/** The items of all menus that run a command. */
function commandItems(platform: (typeof platforms)[number], run: (id: string) => void = () => {}) {
  return menuTemplate({ platform, mayBeDebugged: false, run })
    .flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []))
    .filter(({ id }) => id !== undefined)
}

test.each(platforms)('the menu lists every command with its shortcut once (%s)', (platform) => {
  const expected = commands
    .filter(({ menu }) => menu !== null)
    .map(({ id, title, shortcut }) => ({
      id,
      label: title,
      accelerator: shortcut === null ? null : acceleratorOf(shortcut, platform),
    }))
  const found = commandItems(platform).map(({ id, label, accelerator = null }) => ({
    id,
    label,
    accelerator,
  }))
  // The menus have another order than the list.
  expect(found).toHaveLength(expected.length)
  expect(found).toEqual(expect.arrayContaining(expected))
})

test.each(platforms)('no two commands share a shortcut (%s)', (platform) => {
  const shortcuts = commands.flatMap(({ shortcut }) =>
    shortcut === null ? [] : [shortcutText(shortcut, platform)],
  )
  expect(new Set(shortcuts).size).toBe(shortcuts.length)
})

test('every command with a shortcut is in a menu, which the shortcuts sheet lists', () => {
  expect(commands.filter(({ shortcut, menu }) => shortcut !== null && menu === null)).toEqual([])
})

test('an item runs its command', () => {
  const ran: string[] = []
  const item = commandItems('other', (id) => ran.push(id)).find(({ id }) => id === 'new-chat')
  // Electron passes three arguments that the item does not use.
  const click = item?.click as (() => void) | undefined
  click?.()
  expect(ran).toEqual(['new-chat'])
})
