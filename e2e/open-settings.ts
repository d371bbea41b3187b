import type { Page } from '@playwright/test'

/** Opens a section of the Settings page by the profile menu. */
export async function openSettings(window: Page, section: string): Promise<void> {
  await window.getByRole('button', { name: 'Profile menu' }).click()
  await window.getByRole('menuitem', { name: 'Settings' }).click()
  const sections = window.getByRole('navigation', { name: 'Settings' })
  await sections.getByRole('link', { name: section }).click()
}
