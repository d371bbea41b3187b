import type { Page } from '@playwright/test'

/** A state of the window to look at. */
export interface View {
  name: string
  scene: 'empty' | 'first' | 'used' | 'busy' | 'troubled'
  path: string
  /** Pixels; 1280 unless told. */
  width?: number
  /** Brings the page into the state to look at. */
  act?: (page: Page) => Promise<void>
}
