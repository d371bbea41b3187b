/** How the window looked when it was last closed, in `window.json` of the data folder. */
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { settings } from '../shared/settings.ts'

const boundsSchema = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() })
export type Bounds = z.infer<typeof boundsSchema>

const stateSchema = z.object({
  bounds: boundsSchema.nullable(),
  isMaximized: z.boolean(),
  /** Known before the service is, so that the first frame has the right colour. */
  theme: settings.theme.schema,
})
export type WindowState = z.infer<typeof stateSchema>

const firstState: WindowState = { bounds: null, isMaximized: false, theme: settings.theme.default }

/** The remembered state; the first one where nothing readable is remembered. */
export function readWindowState(file: string): WindowState {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // Not there yet, or damaged: a window in its default place is all that is lost.
    return firstState
  }
}

/** Written at once, some 100 bytes: the process may be about to end. */
export function writeWindowState(file: string, state: WindowState): void {
  writeFileSync(file, JSON.stringify(state))
}

/** Enough of the title bar to take hold of, in pixels. */
const gripPx = { width: 120, height: 40 }

/**
 * The remembered bounds if a person could reach the window there: a display may be gone.
 * @param workAreas  of the displays there are now
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
