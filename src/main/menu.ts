import { Menu, type MenuItemConstructorOptions } from 'electron'
import { mayBeDebugged } from './debugging.ts'

/** The standard menu, for its shortcuts (copy, paste, undo, quit); with two developer tools while debugging. */
export function installMenu(): void {
  const developer: MenuItemConstructorOptions[] = mayBeDebugged
    ? [{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }]
    : []
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
    ...developer,
  ]
  const application: MenuItemConstructorOptions[] =
    process.platform === 'darwin' ? [{ role: 'appMenu' }] : []
  const menu = Menu.buildFromTemplate([
    ...application,
    { role: 'fileMenu' },
    { role: 'editMenu' },
    { label: 'View', submenu: view },
    { role: 'windowMenu' },
  ])
  Menu.setApplicationMenu(menu)
}
