/** Checks one view of the window: axe, boxes, motion and forced colours. */
import type { Page } from '@playwright/test'
import axeCore from 'axe-core'
import { share } from '../test/torture/share.ts'
import { expect } from './fixtures.ts'
import { addBoxTools, boxProblems, forcedColorProblems, motionProblems } from './box-problems.ts'
import type { WindowSize } from './layout.ts'
import { savePicture, savesPictures } from './pictures.ts'
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

/** Views that are examined in one size. */
interface PlannedPass {
  pass: Pass
  views: readonly View[]
}

/**
 * `npm run torture window` examines each view in each pass; `npm test` examines each in one size, as the first pass does.
 * @param turn  changes which size a view gets
 */
export function planOf(
  passes: readonly [Pass, ...Pass[]],
  views: readonly View[],
  turn = 0,
): PlannedPass[] {
  if (share !== null) return passes.map((pass) => ({ pass, views }))
  return passes.map(({ size }, index) => ({
    pass: { ...passes[0], size },
    views: views.filter((_view, place) => (place + turn) % passes.length === index),
  }))
}

/** The theme is the system's, which the setting follows at first. */
export async function setLook(window: Page, { theme, density }: Look): Promise<void> {
  await window.emulateMedia({ colorScheme: theme })
  await setDensity(window, density)
  // Contrast is wrong while colors change.
  await window.waitForFunction(
    () => !document.getAnimations().some((animation) => animation instanceof CSSTransition),
  )
}

async function setDensity(window: Page, density: Look['density']): Promise<void> {
  if (density === (await densityOf(window))) return
  await window.evaluate(
    (value) => modelport.call('settings:set', { name: 'density', value }),
    density,
  )
  await window.waitForFunction(
    (rows) => document.documentElement.dataset['density'] === rows,
    density,
  )
}

function densityOf(window: Page): Promise<string | undefined> {
  return window.evaluate(() => document.documentElement.dataset['density'])
}

/** Rules whose result depends on the theme, and those on the density; the others are the same in each look. */
const themeRules = ['color-contrast', 'link-in-text-block']
const densityRules = ['target-size', 'scrollable-region-focusable']

/** The rules that may find something else than in the looks before; null for all. */
function rulesFor(look: Look, before: readonly Look[]): readonly string[] | null {
  if (before.length === 0) return null
  return [
    ...(before.some(({ theme }) => theme === look.theme) ? [] : themeRules),
    ...(before.some(({ density }) => density === look.density) ? [] : densityRules),
  ]
}

/** The page must have axe already. */
function violationsOf(window: Page, rules: readonly string[] | null): Promise<string[]> {
  return window.evaluate(async (chosen) => {
    const only = chosen && { runOnly: { type: 'rule' as const, values: [...chosen] } }
    const found = await axe.run(document, { resultTypes: ['violations'], ...only })
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  }, rules)
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
    const rules = rulesFor(look, pass.looks.slice(0, index))
    if (rules?.length === 0 && !savesPictures) continue
    await setLook(window, look)
    const violations = rules?.length === 0 ? [] : await violationsOf(window, rules)
    problems.push(...violations.map((violation) => `${name}: ${violation}`))
    await savePicture(window, name, 'pages')
  }
  const at = `${view.name} at ${width}x${height}, ${zoom * 100} %`
  const shown = await densityOf(window)
  // The shown one first: each change draws the whole page.
  for (const density of shown === 'compact' ? densities.toReversed() : densities) {
    await setDensity(window, density)
    const found = await boxProblems(window)
    problems.push(...found.map((problem) => `${at}, ${density}: ${problem}`))
  }
  problems.push(...(await motionProblems(window)).map((problem) => `${at}: ${problem}`))
  if (pass.hasForcedColors) {
    await window.emulateMedia({ forcedColors: 'active' })
    problems.push(...(await forcedColorProblems(window)).map((problem) => `${at}: ${problem}`))
    await window.emulateMedia({ forcedColors: 'none' })
  }
  if (view.isDialog) await window.keyboard.press('Escape')
  return problems
}

/** Axe finds nothing in either theme. */
export async function examineThemes(window: Page, name: string): Promise<void> {
  if (!(await window.evaluate(() => 'axe' in globalThis))) await window.evaluate(axeCore.source)
  // Text that pulses has less contrast in between.
  await window.emulateMedia({ reducedMotion: 'reduce' })
  const both = (['dark', 'light'] as const).map((theme): Look => ({
    theme,
    density: 'comfortable',
  }))
  for (const [index, look] of both.entries()) {
    await setLook(window, look)
    const found = await violationsOf(window, rulesFor(look, both.slice(0, index)))
    expect(found, `${name} in ${look.theme}`).toEqual([])
    await savePicture(window, `${name}-${look.theme}`)
  }
}
