/** Every page of the window with its parts and dialogs, on a seeded app, in the language of `setTranslation`. */
import type { Page } from '@playwright/test'
import { t } from '../src/shared/strings/strings.ts'
import { expect } from './fixtures.ts'

export interface View {
  name: string
  path: string
  /** Opens a part of the page. */
  open?: (window: Page) => Promise<void>
  /** Escape closes it before the next view. */
  isDialog?: boolean
}

const press = (name: () => string) => async (window: Page) => {
  await window.getByRole('main').getByRole('button', { name: name() }).first().click()
  await window.getByRole('dialog').waitFor()
}

/** Chooses an action from the menu of the seeded provider. */
const chooseAction = (name: () => string) => async (window: Page) => {
  await window.getByRole('button', { name: t('Actions for {of}', { of: 'team' }) }).click()
  await window.getByRole('menuitem', { name: name() }).click()
  const dialog = window.getByRole('dialog')
  await dialog.waitFor()
}

async function editProvider(window: Page): Promise<void> {
  await chooseAction(() => t('Edit provider'))(window)
  await window.getByRole('dialog').getByLabel(t('Base URL')).fill('https://eu.example.com/v1')
}

async function showTestRun(window: Page): Promise<void> {
  await window.getByRole('tab', { name: t('Test run') }).click()
}

/** The longest part of a message without its values. */
function partOf(text: string): string {
  const [longest = ''] = text.split('§').toSorted((a, b) => b.length - a.length)
  return longest.trim()
}

async function showText(window: Page): Promise<void> {
  await window.getByRole('textbox', { name: t('Source text') }).waitFor()
}

/** Sections that stay open are opened once. */
async function unfoldSections(window: Page): Promise<void> {
  for (const summary of await window.locator('details:not([open]) > summary').all()) {
    await summary.click()
  }
}

/** Leaves an unsaved change, so that its bar and its effect show on all parts of the router. */
async function chooseStrategy(window: Page): Promise<void> {
  await window.getByRole('radio', { name: t('Cost optimized') }).check()
  const estimate = t(
    'Estimate for the last {count, plural, one {request} other {# requests}}, unsaved against saved settings: {changes}.',
    { count: 2, changes: '§' },
  )
  await window.getByText(partOf(estimate)).waitFor()
}

async function showEstimate(window: Page): Promise<void> {
  await window.getByRole('radio', { name: t('Starter set') }).check()
  await window
    .getByRole('button', { name: partOf(t('Ask {prompts} prompts', { prompts: '§' })) })
    .waitFor()
}

async function chooseFile(window: Page): Promise<void> {
  await window
    .getByRole('radio', { name: t('File') })
    .first()
    .check()
  await unfoldSections(window)
}

async function showModel(window: Page): Promise<void> {
  await window.getByRole('rowheader').first().getByRole('button').click()
  await window.getByRole('complementary', { name: partOf(t('About {id}', { id: '§' })) }).waitFor()
}

const nothingGraded = () =>
  t(
    'No answer was graded above 0, so this run says nothing about quality. Check the expected answers or the judge, then run it again.',
  )

async function showResult(window: Page): Promise<void> {
  await window.getByRole('region', { name: t('Quality of each model') }).waitFor()
  // Nothing was graded: a warning stands where the headline would.
  await window.getByText(nothingGraded()).waitFor()
  await expect(window.getByRole('main')).not.toContainText('would have sent')
}

async function showComparison(window: Page): Promise<void> {
  await window.getByRole('region', { name: t('Models in both runs') }).waitFor()
}

interface Seeded {
  routerId: string
  /** Tuning runs of the router. */
  runId: string
  otherRunId: string
}

export function viewsOf({ routerId, runId, otherRunId }: Seeded): View[] {
  const router = `/routers/${routerId}`
  return [
    { name: 'home', path: '/home', open: showFigures },
    { name: 'chat', path: '/chat' },
    { name: 'why', path: '/chat', open: openWhy, isDialog: true },
    { name: 'chat-import', path: '/chat', open: openImport, isDialog: true },
    { name: 'routers', path: '/routers' },
    { name: 'router', path: router, open: chooseStrategy },
    { name: 'router-models', path: `${router}?tab=models` },
    { name: 'router-strategy', path: `${router}?tab=strategy`, open: unfoldSections },
    { name: 'router-rules', path: `${router}?tab=rules`, open: unfoldSections },
    { name: 'router-tune', path: `${router}?tab=tune` },
    { name: 'router-use', path: `${router}?tab=use` },
    { name: 'router-new', path: '/routers/new?preset=cheapest' },
    { name: 'tune-new', path: '/tune/new', open: showEstimate },
    { name: 'tune-file', path: '/tune/new', open: chooseFile },
    { name: 'tune-run', path: `/tune/${runId}`, open: showResult },
    { name: 'tune-compare', path: `/tune/${runId}/with/${otherRunId}`, open: showComparison },
    { name: 'agents', path: '/routers?view=agents' },
    { name: 'agent', path: '/agents/short-answer', open: showText },
    { name: 'agent-test-run', path: '/agents/short-answer', open: showTestRun },
    { name: 'requests', path: '/activity', open: showRequests },
    { name: 'request', path: '/activity', open: showRequest },
    { name: 'charts', path: '/activity?view=charts', open: showCharts },
    {
      name: 'chart-tables',
      path: '/activity?view=charts&range=7d&group=key',
      open: showChartTables,
    },
    { name: 'refused', path: '/activity?view=refused' },
    { name: 'connect', path: '/connect' },
    {
      name: 'connect-tool',
      path: '/connect',
      open: press(() => `${t('Connect')} Codex`),
      isDialog: true,
    },
    { name: 'models', path: '/models' },
    { name: 'model', path: '/models', open: showModel },
    { name: 'key-form', path: '/connect', open: press(() => t('Create key')), isDialog: true },
    { name: 'providers', path: '/models?view=providers' },
    {
      name: 'provider-form',
      path: '/models?view=providers',
      open: press(() => t('Add provider')),
      isDialog: true,
    },
    {
      name: 'provider-edit',
      path: '/models?view=providers',
      open: editProvider,
      isDialog: true,
    },
    {
      name: 'provider-keys',
      path: '/models?view=providers',
      open: chooseAction(() => t('Manage keys')),
      isDialog: true,
    },
    { name: 'settings', path: '/settings' },
    { name: 'settings-appearance', path: '/settings/appearance' },
    { name: 'settings-server', path: '/settings/server' },
    { name: 'settings-privacy', path: '/settings/privacy' },
    { name: 'settings-limits', path: '/settings/limits' },
    { name: 'settings-data', path: '/settings/data' },
    { name: 'settings-shortcuts', path: '/settings/shortcuts' },
    { name: 'settings-updates', path: '/settings/updates' },
    { name: 'settings-diagnostics', path: '/settings/diagnostics' },
  ]
}

async function openImport(window: Page): Promise<void> {
  // In a narrow window, the button is in a drawer.
  await window.keyboard.press('Control+K')
  await window.keyboard.type(t('Import conversations'))
  await window.keyboard.press('Enter')
  await window.getByRole('dialog', { name: t('Import conversations') }).waitFor()
}

async function showFigures(window: Page): Promise<void> {
  await window.getByRole('list', { name: t('Figures') }).waitFor()
}

async function showRequests(window: Page): Promise<void> {
  await window
    .getByRole('grid', { name: t('Requests'), exact: true })
    .getByText(t('Answered'))
    .first()
    .waitFor()
}

async function showCharts(window: Page): Promise<void> {
  await window.getByRole('figure', { name: t('Outcomes') }).waitFor()
}

async function showChartTables(window: Page): Promise<void> {
  await showCharts(window)
  for (const figure of await window.getByRole('figure').all())
    await figure.getByRole('button', { name: t('Show as table') }).click()
}

async function showRequest(window: Page): Promise<void> {
  await window
    .getByRole('grid', { name: t('Requests'), exact: true })
    .getByText(t('Answered'))
    .first()
    .click()
  await window.getByRole('list', { name: t('Timeline') }).waitFor()
}

async function openWhy(window: Page): Promise<void> {
  await window
    .getByRole('button', { name: t('Why this model?') })
    .first()
    .click()
  await window.getByRole('region', { name: t('Candidates') }).waitFor()
}

const agent = `name: short-answer
description: A short answer to any question.
steps:
  - id: answer
    type: prompt
    user: "{{ input }}"
  - id: shorter
    type: prompt
    needs: [answer]
    user: "Say it shorter: {{ steps.answer.output }}"
`

/** A provider, two routers, a key, an agent, a conversation and a tuning run. */
export async function seed(window: Page, baseUrl: string): Promise<Seeded> {
  const routerId = await window.evaluate(
    async ({ url, source }) => {
      const apiKey = 'key-of-the-team-provider'
      const team = { id: 'team', type: 'openai-compatible', baseUrl: url, apiKey }
      await modelport.call('providers:add', team)
      const second = { name: 'night', apiKey: 'another-key-of-the-team' }
      await modelport.call('providers:add-key', { id: 'team', key: second })
      const models = ['team:small', 'team:large']
      for (const [index, id] of models.entries()) {
        const price = { inputUsdPerMtok: 1 + index, outputUsdPerMtok: 4, contextTokens: 8_000 }
        await modelport.call('models:save', { id, ...price })
      }
      const router = { name: 'Web shop', strategy: 'balanced' as const, models }
      const created = await modelport.call('routers:create', router)
      await modelport.call('keys:create', { name: 'Shop backend', routers: 'all' })
      await modelport.call('agents:save', { source })
      return created.ok ? created.value.id : ''
    },
    { url: baseUrl, source: agent },
  )
  await window.getByRole('combobox', { name: 'Router' }).click()
  await window.getByRole('option', { name: 'Web shop' }).click()
  for (const [index, question] of ['What is a lighthouse?', 'Who built the first?'].entries()) {
    await window.getByRole('textbox', { name: 'Message' }).fill(question)
    await window.keyboard.press('Enter')
    await expect(window.getByRole('list', { name: 'Answer details' })).toHaveCount(index + 1)
  }
  const runId = await tune(window, routerId)
  return { routerId, runId, otherRunId: await tune(window, routerId) }
}

/** @returns the id of the run, once it has ended */
async function tune(window: Page, routerId: string): Promise<string> {
  const runId = await window.evaluate(async (id) => {
    const prompts = { from: 'starter' as const }
    const input = { routerId: id, prompts, count: 20, capUsd: 5 }
    const started = await modelport.call('tuning:start', input)
    return started.ok ? started.value.id : ''
  }, routerId)
  const stateOf = (id: string) =>
    window.evaluate(async (run) => {
      const read = await modelport.call('tuning:list', undefined)
      return read.ok ? read.value.find((one) => one.id === run)?.state : read.error.message
    }, id)
  await expect.poll(() => stateOf(runId)).toBe('done')
  return runId
}

export async function show({ window, path, open }: View & { window: Page }): Promise<void> {
  await window.evaluate((hash) => {
    location.hash = '#/blank'
    location.hash = hash
  }, `#${path}`)
  // Attached, not visible: the heading of a chat does not fit into the smallest window.
  await expect(window.getByRole('heading', { level: 1 })).toBeAttached()
  await open?.(window)
}
