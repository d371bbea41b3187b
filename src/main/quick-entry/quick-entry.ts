/** The quick entry: its window, its shortcut and their calls. */
import { globalShortcut } from 'electron'
import type { QuickEntryState } from '../../shared/app/quick-entry.ts'
import { askSwitch } from '../command-arguments.ts'
import type { Handlers } from '../handlers.ts'
import { sendToPages } from '../own-windows.ts'
import type { MainWindow } from '../window.ts'
import { createQuickWindow, type QuickWindow } from './quick-window.ts'
import { QuickShortcut } from './shortcut.ts'

type QuickEntryCallName = Extract<keyof Handlers, `quick-entry:${string}`>

export interface QuickEntry extends Pick<QuickWindow, 'show' | 'closeIfHidden'> {
  handlers: Pick<Handlers, QuickEntryCallName>
}

export interface QuickEntryOptions {
  window: MainWindow
  /** The program and its arguments. */
  command: readonly string[]
  /** Whether the tray shows the app. */
  isInTray(): boolean
}

export function openQuickEntry({ window, command, isInTray }: QuickEntryOptions): QuickEntry {
  const { platform } = process
  const quick = createQuickWindow(
    () => window.current() !== null || isInTray() || platform === 'darwin',
  )
  const shortcut = new QuickShortcut({
    system: globalShortcut,
    platform,
    remembered: {
      get: () => window.remembered().quickEntryShortcut,
      set: (quickEntryShortcut) => window.remember({ quickEntryShortcut }),
    },
    onPress: () => quick.toggle(),
    onChange: () => sendToPages('quick-entry', state()),
  })
  const state = (): QuickEntryState => ({
    ...shortcut.state(),
    command: [...command, askSwitch].map(quoted).join(' '),
  })
  return {
    show: quick.show,
    closeIfHidden: quick.closeIfHidden,
    handlers: {
      'quick-entry:show': quick.show,
      'quick-entry:hide': quick.hide,
      'quick-entry:open-main': ({ path }) => {
        window.show(path)
        quick.hide()
      },
      'quick-entry:state': state,
      'quick-entry:record': (input) => shortcut.record(input.shortcut),
      'quick-entry:turn-off': () => shortcut.turnOff(),
    },
  }
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : JSON.stringify(argument)
}
