/** The quick entry: a small window for one question, opened by a shortcut of the whole desktop. */
import { z } from 'zod'
import { call, nothing } from '../ipc-call.ts'
import type { KeyPress, Platform } from './shortcuts.ts'

const modifiers = ['Mod', 'Control', 'Super', 'Alt', 'Shift'] as const
const keyPattern = /^([A-Z0-9]|Space|F([1-9]|1\d|2[0-4]))$/

/** As in shortcuts.ts, with a modifier that types no text. `Control` is of a Mac, `Super` of the others. */
export const globalShortcutSchema = z.string().refine((shortcut) => {
  const parts = shortcut.split('+')
  const held = parts.slice(0, -1)
  return (
    keyPattern.test(parts.at(-1) ?? '') &&
    held.some((one) => one !== 'Shift') &&
    held.every((one) => modifiers.some((known) => known === one))
  )
})

export interface QuickEntryState {
  /** The shortcut that opens the window; null for none. */
  shortcut: string | null
  /** The system refused the shortcut at this start. */
  isLost: boolean
  /** The shortcut that was recorded last, until it has opened nothing else than its proof. */
  trial: { kind: 'waiting' | 'refused' | 'silent'; shortcut: string } | null
  /** Opens the window too, from a shortcut of the desktop's own settings. */
  command: string
}

export const quickEntryCalls = {
  'quick-entry:show': call(nothing).returns<void>(),
  'quick-entry:hide': call(nothing).returns<void>(),
  /** Shows a page of the main window in place of the quick entry. */
  'quick-entry:open-main': call(
    z.strictObject({ path: z.string().startsWith('/').max(2_048) }),
  ).returns<void>(),
  /** The event `quick-entry` tells of each change. */
  'quick-entry:state': call(nothing).returns<QuickEntryState>(),
  /** Asks the system for a shortcut. It counts once it was pressed within ten seconds. */
  'quick-entry:record': call(z.strictObject({ shortcut: globalShortcutSchema })).returns<void>(),
  'quick-entry:turn-off': call(nothing).returns<void>(),
}

/** The shortcut of a key press, for the whole desktop; null for keys that cannot be one. */
export function globalShortcutOf(press: KeyPress, platform: Platform): string | null {
  const isMac = platform === 'mac'
  const held = [
    (isMac ? press.metaKey : press.ctrlKey) && 'Mod',
    isMac && press.ctrlKey && 'Control',
    !isMac && press.metaKey && 'Super',
    press.altKey && 'Alt',
    press.shiftKey && 'Shift',
    keyOf(press),
  ]
  const shortcut = held.filter((one) => one !== false).join('+')
  return globalShortcutSchema.safeParse(shortcut).success ? shortcut : null
}

/** The letter as it is written on the key; with Alt, some layouts type another one, and Shift changes digits. */
function keyOf({ key, code }: KeyPress): string {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase()
  return code.replace(/^(Key|Digit)/, '')
}
