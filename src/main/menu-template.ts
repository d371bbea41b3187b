import type { MenuItemConstructorOptions } from 'electron'
import { commandsIn, type CommandId, type MenuName } from '../shared/app/commands.ts'
import { acceleratorOf, type Platform } from '../shared/app/shortcuts.ts'
import { t } from '../shared/strings/strings.ts'

interface MenuOptions {
  platform: Platform
  /** Adds two developer tools. */
  mayBeDebugged: boolean
  run(id: CommandId): void
}

const separator = { type: 'separator' } as const

/** The application menu: the commands of the window, and the system's roles. */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  const items = (menu: MenuName) => commandItems(menu, options)
  const isMac = options.platform === 'mac'
  const developer: MenuItemConstructorOptions[] = options.mayBeDebugged
    ? [separator, { role: 'reload' }, { role: 'toggleDevTools' }]
    : []
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: t('File'),
      submenu: [...items('File'), separator, { role: isMac ? 'close' : 'quit' }],
    },
    { label: t('Edit'), submenu: [...editRoles, separator, ...items('Edit')] },
    { label: t('View'), submenu: [...items('View'), separator, ...viewRoles, ...developer] },
    { label: t('Go'), submenu: items('Go') },
    { role: 'windowMenu' },
    { role: 'help', submenu: items('Help') },
  ]
}

const editRoles: readonly MenuItemConstructorOptions[] = [
  { role: 'undo' },
  { role: 'redo' },
  separator,
  { role: 'cut' },
  { role: 'copy' },
  { role: 'paste' },
  { role: 'selectAll' },
]

const viewRoles: readonly MenuItemConstructorOptions[] = [
  { role: 'resetZoom' },
  { role: 'zoomIn' },
  { role: 'zoomOut' },
  separator,
  { role: 'togglefullscreen' },
]

function commandItems(menu: MenuName, options: MenuOptions): MenuItemConstructorOptions[] {
  return commandsIn(menu).map(({ id, title, shortcut }) => {
    const accelerator = shortcut === null ? null : acceleratorOf(shortcut, options.platform)
    return {
      id,
      label: title,
      // The window handles the keys. On a Mac the menu sees only what the window leaves.
      registerAccelerator: false,
      ...(accelerator === null ? {} : { accelerator }),
      click: () => options.run(id),
    }
  })
}
