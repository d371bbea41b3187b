/**
 * Every place while it has very much, nothing, not loaded yet or failed to load: no accessibility violation, nothing cut,
 * covered or out of reach. `npm run torture window` takes each place in all sizes, `npm test` in one for each state.
 * `MODELPORT_UPDATE_PICTURES=1 npm run e2e -- states` also saves pictures in test-results/pages.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ElectronApplication, Page } from '@playwright/test'
import { row } from '../bench/row.ts'
import { reportMeasured } from '../test/torture/share.ts'
import { addTools, examine, planOf, setLook, type Look, type Pass } from './examine.ts'
import { expect, test } from './fixtures.ts'
import { resizeWindow } from './layout.ts'
import { show, type View } from './views.ts'

const seedScript = fileURLToPath(
  new URL('../test/usage-seed/children/seed-folder.ts', import.meta.url),
)

type State = 'full' | 'empty' | 'loading' | 'failed'

const comfortable: Look = { theme: 'light', density: 'comfortable' }
const compact: Look = { theme: 'dark', density: 'compact' }

/** Contrast is that of both themes; boxes are those of both densities. */
const passes: readonly [Pass, ...Pass[]] = [
  { size: { width: 1280, height: 820 }, looks: [comfortable, compact], hasForcedColors: false },
  { size: { width: 900, height: 640 }, looks: [], hasForcedColors: false },
  { size: { width: 1280, height: 820, zoom: 2 }, looks: [], hasForcedColors: false },
  { size: { width: 1600, height: 1000 }, looks: [], hasForcedColors: false },
]

const places: readonly View[] = [
  { name: 'home', path: '/home' },
  { name: 'chat', path: '/chat' },
  { name: 'routers', path: '/routers' },
  { name: 'agents', path: '/routers?view=agents' },
  { name: 'activity', path: '/activity' },
  { name: 'charts', path: '/activity?view=charts' },
  { name: 'refused', path: '/activity?view=refused' },
  { name: 'models', path: '/models' },
  { name: 'providers', path: '/models?view=providers' },
  { name: 'connect', path: '/connect' },
  { name: 'settings-data', path: '/settings/data' },
]

/** Answers the window's calls as the state says, in place of the main process. */
async function intercept(app: ElectronApplication): Promise<(state: State) => Promise<void>> {
  await app.evaluate(({ ipcMain }) => {
    type Handler = (event: unknown, name: string, input: unknown) => unknown
    // Electron's own list, because Electron has no public way to wrap an existing handler.
    const handlers = Reflect.get(ipcMain, '_invokeHandlers') as Map<string, Handler>
    const real = handlers.get('modelport:call')
    if (!real) throw new Error('the calls of the window have no handler')
    const message = 'The database is locked by another program. Close it, then try again.'
    // Electron answers with an error for one that nothing holds any more.
    const waiting: unknown[] = []
    const failure = { ok: false, error: { code: 'unexpected', message, field: null } }
    const empty = (value: unknown): unknown => {
      if (Array.isArray(value)) return []
      if (typeof value === 'number') return 0
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, empty(part)]))
    }
    handlers.set('modelport:call', async (event, name, input) => {
      const state: unknown = Reflect.get(globalThis, 'stateOfCalls')
      // The frame of the window is no place, and texts and settings are there from the start.
      const isFrame = /^(start|app|settings|updates|startup):|:types$|:tools$/.test(name)
      if (isFrame || state === 'full') return real(event, name, input)
      if (state === 'loading') return new Promise((resolve) => void waiting.push(resolve))
      if (state === 'failed') return failure
      const answer = (await real(event, name, input)) as { ok: boolean; value: unknown }
      return answer.ok ? { ...answer, value: empty(answer.value) } : answer
    })
  })
  return (state) =>
    app.evaluate(
      (_electron, chosen) => void Object.assign(globalThis, { stateOfCalls: chosen }),
      state,
    )
}

const longName =
  'A name as long as a name may be, with_a_word_that_nothing_can_break_into_two_lines, number'

/** Long names, more rows than fit into a window, and refused requests. */
async function fill(window: Page): Promise<void> {
  await window.evaluate(async (name) => {
    const routers = await modelport.call('routers:list', undefined)
    const models = routers.ok ? (routers.value[0]?.models ?? []) : []
    for (let index = 0; index < 12; index += 1) {
      const named = { name: `${name} ${index}` }
      await modelport.call('routers:create', {
        ...named,
        strategy: 'balanced',
        models: [...models],
      })
      await modelport.call('keys:create', { ...named, routers: 'all' })
    }
    // A budget of almost nothing refuses each question before the provider is asked.
    const baseUrl = 'http://127.0.0.1:9/v1'
    await modelport.call('providers:add', { id: 'paid', type: 'openai-compatible', baseUrl })
    const price = { inputUsdPerMtok: 100, outputUsdPerMtok: 200, contextTokens: 8_000 }
    await modelport.call('models:save', { id: 'paid:model', ...price })
    const refusing = await modelport.call('routers:create', {
      name: 'Refuses all',
      strategy: 'priority',
      models: ['paid:model'],
      budgetUsdPerDay: 0.000_001,
    })
    if (!refusing.ok) throw new Error(refusing.error.message)
    const routerId = refusing.value.id
    const send = { conversationId: null, routerId, agent: null, text: name }
    for (let index = 0; index < 24; index += 1) await modelport.call('chat:send', send)
    const conversations = await modelport.call('conversations:list', undefined)
    for (const { id } of conversations.ok ? conversations.value : [])
      await modelport.call('conversations:change', { id, changes: { title: name } })
  }, longName)
}

async function topOfViews(window: Page, path: string): Promise<number | undefined> {
  await show({ window, name: path, path })
  return (await window.getByRole('navigation', { name: 'Views' }).boundingBox())?.y
}

test('every place is complete while it is full, empty, loading and failed', async ({
  dataDir,
  launchApp,
}) => {
  test.setTimeout(900_000)
  await promisify(execFile)(process.execPath, [seedScript, dataDir])
  const { app, window } = await launchApp({ page: '/home' })
  await window.emulateMedia({ reducedMotion: 'reduce' })
  await fill(window)
  await window.evaluate(() => void (location.hash = '/activity?view=refused'))
  await expect(window.getByRole('row', { name: /budget_exceeded/ })).toHaveCount(24)
  const topOfModels = await topOfViews(window, '/models')
  expect(await topOfViews(window, '/models?view=providers')).toBe(topOfModels)
  const turnTo = await intercept(app)
  const problems: string[] = []
  for (const [turn, state] of (['full', 'empty', 'loading', 'failed'] as const).entries()) {
    await turnTo(state)
    // The stores have read the lists before.
    await window.reload()
    await addTools(window)
    for (const { pass, views } of planOf(passes, places, turn)) {
      await resizeWindow(app, window, pass.size)
      if (pass.looks[0]) await setLook(window, pass.looks[0])
      for (const place of views)
        problems.push(
          ...(await examine(window, { ...place, name: `${place.name}-${state}` }, pass)),
        )
    }
  }
  reportMeasured([row('problems of places', [problems.length, ''], { target: { atMost: 0 } })])
  expect(problems).toEqual([])
})
