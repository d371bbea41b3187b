/** Counts what a person does in the window: clicks, pastes and key presses that reach the page; and uses it by keys. */
import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

interface Counts {
  clicks: number
  pastes: number
  keys: number
}

/** Counts real input from now on; a click by the keyboard is a key press. */
export async function countInput(window: Page): Promise<() => Promise<Counts>> {
  await window.evaluate(() => {
    const counts: Counts = { clicks: 0, pastes: 0, keys: 0 }
    const on = (type: string, name: keyof Counts) =>
      globalThis.addEventListener(type, ({ isTrusted }) => void (isTrusted && counts[name]++), true)
    on('pointerdown', 'clicks')
    on('paste', 'pastes')
    on('keydown', 'keys')
    Reflect.set(globalThis, Symbol.for('modelport.counts'), counts)
  })
  return () =>
    window.evaluate(() => Reflect.get(globalThis, Symbol.for('modelport.counts')) as Counts)
}

/** Presses Tab until the control has the focus, then another key. */
export async function reach(control: Locator, key = 'Enter'): Promise<void> {
  const page = control.page()
  const isFocused = () => control.evaluate((element) => element === document.activeElement)
  await control.waitFor()
  for (let steps = 0; steps < 120 && !(await isFocused()); steps += 1)
    await page.keyboard.press('Tab')
  await expect(control).toBeFocused()
  await page.keyboard.press(key)
}

/** The two ways in which each flow is used. */
export const ways = ['pointer', 'keys alone'] as const
export type Way = (typeof ways)[number]

/** Uses a button or a link. */
export function use(control: Locator, way: Way): Promise<void> {
  return way === 'pointer' ? control.click() : reach(control)
}

/** The clicks of a flow: none by keys alone. */
export function clicksBy(way: Way, clicks: number): { clicks: number; pastes: number } {
  return { clicks: way === 'pointer' ? clicks : 0, pastes: 0 }
}
