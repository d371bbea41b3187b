import type { Page } from '@playwright/test'

/** Opens a place by the navigation, and one of its views. */
export async function openPlace(window: Page, place: string, view?: string): Promise<void> {
  const pages = window.getByRole('navigation', { name: 'Pages' })
  await pages.getByRole('link', { name: place }).click()
  if (view === undefined) return
  await window.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click()
}
