import { Menu } from 'electron'
import { mayBeDebugged } from './debugging.ts'
import { menuTemplate } from './menu-template.ts'
import type { MainWindow } from './window.ts'

/** Installs the application menu. Its commands run in the window, which they bring to the front. */
export function installMenu(window: MainWindow): void {
  const template = menuTemplate({
    platform: process.platform === 'darwin' ? 'mac' : 'other',
    mayBeDebugged,
    run(id) {
      window.show()
      window.send('command', { id })
    },
  })
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
