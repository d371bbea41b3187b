import type { Platform } from '../../../shared/app/shortcuts.ts'

/** Decides how shortcuts are written and matched. */
export const platform: Platform = navigator.userAgent.includes('Mac') ? 'mac' : 'other'
