/**
 * Every page in every look and size: no accessibility violation, nothing cut, covered or out of reach, no error in the
 * console. `MODELPORT_UPDATE_PICTURES=1 npm run e2e -- pages` also saves pictures in test-results/pages.
 */
import type { Page } from '@playwright/test'
import axeCore from 'axe-core'
import { startFakeProvider } from '../test/fake-provider.ts'
import { addBoxTools, boxProblems, forcedColorProblems, motionProblems } from './box-problems.ts'
import { expect, test } from './fixtures.ts'
import { resizeWindow, type WindowSize } from './layout.ts'
import { seed, show, viewsOf, type View } from './views.ts'

const themes = ['light', 'dark'] as const
const densities = ['comfortable', 'compact'] as const

interface Look {
  theme: (typeof themes)[number]
  density: (typeof densities)[number]
}

const looks: readonly Look[] = densities.flatMap((density) =>
  themes.map((theme) => ({ theme, density })),
)

interface Pass {
  size: WindowSize
  /** Axe runs in each; the boxes are those of the last one. Without any, the look of the pass before stays. */
  looks: readonly Look[]
  /** True to check with forced colours as well. */
  hasForcedColors: boolean
}

const compact: Look = { theme: 'light', density: 'compact' }
const comfortable: Look = { theme: 'light', density: 'comfortable' }

const passes: readonly Pass[] = [
  { size: { width: 1280, height: 820 }, looks, hasForcedColors: true },
  { size: { width: 720, height: 480 }, looks: [compact], hasForcedColors: false },
  { size: { width: 900, height: 640 }, looks: [], hasForcedColors: false },
  // The same boxes as 640x410 at 100 %, which the window's least size does not allow.
  { size: { width: 1280, height: 820, zoom: 2 }, looks: [comfortable], hasForcedColors: false },
  { size: { width: 1600, height: 1000 }, looks: [], hasForcedColors: false },
]

async function setLook(window: Page, { theme, density }: Look): Promise<void> {
  await window.evaluate(
    async ([name, rows]) => {
      await modelport.call('settings:set', { name: 'theme', value: name })
      await modelport.call('settings:set', { name: 'density', value: rows })
    },
    [theme, density] as const,
  )
  await window.waitForFunction(
    ([name, rows]) =>
      matchMedia(`(prefers-color-scheme: ${name})`).matches &&
      document.documentElement.dataset['density'] === rows,
    [theme, density] as const,
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

/** Opens a view. @returns what is wrong with it in this pass */
async function examine(window: Page, view: View, pass: Pass): Promise<string[]> {
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
  const found = [...(await boxProblems(window)), ...(await motionProblems(window))]
  problems.push(...found.map((problem) => `${at}: ${problem}`))
  if (pass.hasForcedColors) {
    await window.emulateMedia({ forcedColors: 'active', colorScheme: null })
    problems.push(...(await forcedColorProblems(window)).map((problem) => `${at}: ${problem}`))
    await window.emulateMedia({ forcedColors: 'none', colorScheme: null })
  }
  if (view.isDialog) await window.keyboard.press('Escape')
  return problems
}

test('every page is accessible and complete in every look and size', async ({ launchApp }) => {
  test.setTimeout(300_000)
  const text = 'A **lighthouse** is a tower with a bright light that guides ships along the coast.'
  const models = { small: { text }, large: { text } }
  const upstream = await startFakeProvider({ tls: false, models })
  const { app, window } = await launchApp()
  const problems: string[] = []
  window.on('console', (entry) => {
    if (entry.type() === 'error') problems.push(entry.text())
  })
  // Colours would still change while they are checked.
  await window.emulateMedia({ reducedMotion: 'reduce', colorScheme: null })
  const views = viewsOf(await seed(window, upstream.url))
  // Once: the page is never loaded again, and adding axe takes longer than a check.
  await window.evaluate(axeCore.source)
  await addBoxTools(window)

  for (const pass of passes) {
    await resizeWindow(app, window, pass.size)
    if (pass.looks.length === 1) await setLook(window, pass.looks[0] ?? comfortable)
    for (const view of views) problems.push(...(await examine(window, view, pass)))
  }

  expect(problems).toEqual([])
  await upstream.close()
})
