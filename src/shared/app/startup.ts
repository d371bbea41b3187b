/** How the app starts with the computer. */
import { z } from 'zod'

export const startupInputSchema = z.strictObject({
  launchesAtLogin: z.boolean(),
  /** True to start without the window; the tray opens it. */
  startsHidden: z.boolean(),
})
export type StartupInput = z.output<typeof startupInputSchema>

/** State of the operating system now; the user may have changed it there. */
export interface StartupState extends StartupInput {
  /** Whether the desktop shows icons of a system tray; null while that is being found out. */
  hasTray: boolean | null
}
