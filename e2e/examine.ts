/** Checks one view of the window: axe, boxes, motion and forced colours. */
import type { Page } from '@playwright/test'
import axeCore from 'axe-core'
import { expect } from './fixtures.ts'
import { addBoxTools, boxProblems, forcedColorProblems, motionProblems } from './box-problems.ts'
import type { WindowSize } from './layout.ts'
import { show, type View } from './views.ts'

const themes = ['light', 'dark'] as const
const densities = ['comfortable', 'compact'] as const

export interface Look {
  theme: (typeof themes)[number]
  density: (typeof densities)[number]
}

export const looks: readonly Look[] = densities.flatMap((density) =>
  themes.map((theme) => ({ theme, density })),
)

export interface Pass {
  size: WindowSize
  /** Axe runs in each; boxes are examined in both densities. Without any, the theme of the pass before stays. */
  looks: readonly Look[]
  /** True to check with forced colours as well. */
  hasForcedColors: boolean
}

export async function setLook(window: Page, { theme, density }: Look): Promise<void> {
  await window.evaluate((value) => modelport.call('settings:set', { name: 'theme', value }), theme)
  await setDensity(window, density)
  await window.waitForFunction(
    (name) => matchMedia(`(prefers-color-scheme: ${name})`).matches,
    theme,
  )
  // Contrast is wrong while colors change.
  await window.waitForFunction(
    () => !document.getAnimations().some((animation) => animation instanceof CSSTransition),
  )
}

async function setDensity(window: Page, density: Look['density']): Promise<void> {
  await window.evaluate(
    (value) => modelport.call('settings:set', { name: 'density', value }),
    density,
  )
  await window.waitForFunction(
    (rows) => document.documentElement.dataset['density'] === rows,
    density,
  )
}

/** Rules whose result depends on theme or density; the others are the same in each look. */
const lookRules = [
  'color-contrast',
  'link-in-text-block',
  'target-size',
  'scrollable-region-focusable',
]

/** The page must have axe already. */
function violationsOf(window: Page, rules: readonly string[] | null): Promise<string[]> {
  return window.evaluate(async (chosen) => {
    const only = chosen && { runOnly: { type: 'rule' as const, values: [...chosen] } }
    const found = await axe.run(document, { resultTypes: ['violations'], ...only })
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  }, rules)
}

async function savePicture(window: Page, name: string): Promise<void> {
  if (process.env['MODELPORT_UPDATE_PICTURES'] !== '1') return
  await window.screenshot({ path: `test-results/pages/${name}.png` })
}

/** Adds axe and the box tools to the page: once, because adding axe takes longer than a check. */
export async function addTools(window: Page): Promise<void> {
  await window.evaluate(axeCore.source)
  await addBoxTools(window)
}

/** Opens a view. @returns what is wrong with it in this pass */
export async function examine(window: Page, view: View, pass: Pass): Promise<string[]> {
  const problems: string[] = []
  const { width, height, zoom = 1 } = pass.size
  await show({ ...view, window })
  for (const [index, look] of pass.looks.entries()) {
    const name = `${view.name}-${look.theme}-${look.density}-${width / zoom}`
    if (pass.looks.length > 1) await setLook(window, look)
    const violations = await violationsOf(window, index === 0 ? null : lookRules)
    problems.push(...violations.map((violation) => `${name}: ${violation}`))
    await savePicture(window, name)
  }
  const at = `${view.name} at ${width}x${height}, ${zoom * 100} %`
  for (const density of densities) {
    await setDensity(window, density)
    const found = await boxProblems(window)
    problems.push(...found.map((problem) => `${at}, ${density}: ${problem}`))
  }
  problems.push(...(await motionProblems(window)).map((problem) => `${at}: ${problem}`))
  if (pass.hasForcedColors) {
    await window.emulateMedia({ forcedColors: 'active', colorScheme: null })
    problems.push(...(await forcedColorProblems(window)).map((problem) => `${at}: ${problem}`))
    await window.emulateMedia({ forcedColors: 'none', colorScheme: null })
  }
  if (view.isDialog) await window.keyboard.press('Escape')
  return problems
}

/** Axe finds nothing in either theme; saves a picture of each in test-results/screenshots. */
export async function examineThemes(window: Page, name: string): Promise<void> {
  await window.evaluate(axeCore.source)
  // Text that pulses has less contrast in between.
  await window.emulateMedia({ reducedMotion: 'reduce', colorScheme: null })
  for (const theme of ['dark', 'light'] as const) {
    await setLook(window, { theme, density: 'comfortable' })
    expect(await violationsOf(window, null), `${name} in ${theme}`).toEqual([])
    await window.screenshot({ path: `test-results/screenshots/${name}-${theme}.png` })
  }
}
