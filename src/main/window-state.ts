/** The window's last position, page, theme and language, and what the app remembers about it, in `window.json` of the data folder. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { globalShortcutSchema } from '../shared/app/quick-entry.ts'
import { settings } from '../shared/app/settings.ts'
import { writeWhole } from './write-whole.ts'

const boundsSchema = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() })
export type Bounds = z.infer<typeof boundsSchema>

const stateSchema = z.object({
  bounds: boundsSchema.nullable(),
  isMaximized: z.boolean(),
  /** The path of the last page; `/` opens the start page. */
  page: z.string().startsWith('/').max(2_048).catch('/'),
  /** Needed before the service has started, for the colour of the first frame. */
  theme: settings.theme.schema,
  /** Needed before modules with texts are loaded. */
  language: settings.language.schema.default(settings.language.default),
  /** Whether a start at login shows no window, where the system passes no arguments. */
  startsHidden: z.boolean().default(false),
  /** Whether the user was told that the app keeps serving in the tray. */
  hasExplainedTray: z.boolean().default(false),
  /** The shortcut of the quick entry, which was pressed once to prove it on this desktop. */
  quickEntryShortcut: globalShortcutSchema.nullable().default(null).catch(null),
})
export type WindowState = z.infer<typeof stateSchema>

const firstState: WindowState = {
  bounds: null,
  isMaximized: false,
  page: '/',
  theme: settings.theme.default,
  language: settings.language.default,
  startsHidden: false,
  hasExplainedTray: false,
  quickEntryShortcut: null,
}

/** The stored state; the default if none is readable. */
export function readWindowState(file: string): WindowState {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // Missing or damaged: the window opens at its default position.
    return firstState
  }
}

/** @param onError  called when it cannot be written: then it is remembered until the end of this run */
export function writeWindowState(
  file: string,
  state: WindowState,
  onError: (error: unknown) => void,
): void {
  try {
    writeWhole(file, JSON.stringify(state))
  } catch (error) {
    onError(error)
  }
}

/** The part of the title bar needed to drag the window, in pixels. */
const gripPx = { width: 120, height: 40 }

/**
 * The stored bounds if the window is reachable there; its display may have been removed.
 * @param workAreas  of the current displays
 */
export function reachableBounds(
  bounds: Bounds | null,
  workAreas: readonly Bounds[],
): Bounds | null {
  if (bounds === null) return null
  const isReachable = workAreas.some((area) => {
    const left = Math.max(bounds.x, area.x)
    const right = Math.min(bounds.x + bounds.width, area.x + area.width)
    const isTopInside = bounds.y >= area.y && bounds.y + gripPx.height <= area.y + area.height
    return isTopInside && right - left >= gripPx.width
  })
  return isReachable ? bounds : null
}

/** The path without the dialog that stands in its address: the next start opens the page alone. */
export function withoutDialog(page: string): string {
  const { pathname, searchParams } = new URL(page, 'app://window')
  searchParams.delete('add')
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams.toString()}`
}
