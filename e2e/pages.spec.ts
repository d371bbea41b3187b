/**
 * Every page in every look and size: no accessibility violation, nothing cut, covered or out of reach, no error in the
 * console. `npm run torture window` takes each page in all sizes, `npm test` in one. `MODELPORT_UPDATE_PICTURES=1 npm run
 * e2e -- pages` also saves pictures in test-results/pages.
 */
import { row } from '../bench/row.ts'
import { startFakeProvider } from '../test/fake-provider.ts'
import { reportMeasured } from '../test/torture/share.ts'
import { addTools, examine, looks, planOf, type Look, type Pass } from './examine.ts'
import { expect, test } from './fixtures.ts'
import { resizeWindow } from './layout.ts'
import { seed, viewsOf } from './views.ts'

const compact: Look = { theme: 'light', density: 'compact' }
const comfortable: Look = { theme: 'light', density: 'comfortable' }

const passes: readonly [Pass, ...Pass[]] = [
  { size: { width: 1280, height: 820 }, looks, hasForcedColors: true },
  { size: { width: 720, height: 480 }, looks: [compact], hasForcedColors: false },
  { size: { width: 900, height: 640 }, looks: [], hasForcedColors: false },
  // The same boxes as 640x410 at 100 %, which the window's least size does not allow.
  { size: { width: 1280, height: 820, zoom: 2 }, looks: [comfortable], hasForcedColors: false },
  { size: { width: 1600, height: 1000 }, looks: [], hasForcedColors: false },
]

test('every page is accessible and complete in every look and size', async ({ openApp }) => {
  test.setTimeout(900_000)
  const text = 'A **lighthouse** is a tower with a bright light that guides ships along the coast.'
  const models = { small: { text }, large: { text } }
  const upstream = await startFakeProvider({ tls: false, models })
  const { app, window } = await openApp()
  const problems: string[] = []
  window.on('console', (entry) => {
    if (entry.type() === 'error') problems.push(entry.text())
  })
  // Colours would still change while they are checked.
  await window.emulateMedia({ reducedMotion: 'reduce' })
  const views = viewsOf(await seed(window, upstream.url))
  await addTools(window)

  for (const { pass, views: examined } of planOf(passes, views)) {
    await resizeWindow(app, window, pass.size)
    for (const view of examined) problems.push(...(await examine(window, view, pass)))
  }

  reportMeasured([row('problems of pages', [problems.length, ''], { target: { atMost: 0 } })])
  expect(problems).toEqual([])
  await upstream.close()
})
