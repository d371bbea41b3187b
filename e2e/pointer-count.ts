/** Counts what a person does in the window: clicks, pastes and key presses that reach the page. */
import type { Page } from '@playwright/test'

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
