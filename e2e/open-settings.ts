import type { Page } from '@playwright/test'

/** Opens the Settings page by the profile menu. */
export async function openSettings(window: Page): Promise<void> {
  await window.getByRole('button', { name: 'Profile menu' }).click()
  await window.getByRole('menuitem', { name: 'Settings' }).click()
  await window.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
}
