import type { Platform } from '../../../shared/shortcuts.ts'

/** Decides how shortcuts are written and matched. */
export const platform: Platform = navigator.userAgent.includes('Mac') ? 'mac' : 'other'
