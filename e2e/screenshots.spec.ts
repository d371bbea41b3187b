/**
 * `MODELPORT_UPDATE_PICTURES=1 npm run e2e -- screenshots` writes a picture of every page, light and dark, to
 * docs/screenshots. The data folder has been in use for three months. `npm test` leaves this file out.
 */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { resizeWindow } from './layout.ts'

const folder = new URL('../docs/screenshots/', import.meta.url)
const seedScript = fileURLToPath(
  new URL('../test/usage-seed/children/seed-folder.ts', import.meta.url),
)
const themes = ['light', 'dark'] as const

interface Picture {
  name: string
  path: string
  /** Waits for the data of the page, or opens a part of it. */
  show: (window: Page) => Promise<void>
}

const waitForText = (text: string | RegExp) => async (window: Page) => {
  await window.getByRole('main').getByText(text).first().waitFor()
}

async function showConversation(window: Page): Promise<void> {
  const list = window.getByRole('navigation', { name: 'Conversations' })
  await list.getByRole('listitem').first().getByRole('button').first().click()
  await window.getByRole('list', { name: 'Answer details' }).waitFor()
  const chart = window.getByRole('figure', { name: 'Decisions' })
  if (!(await chart.isVisible())) await window.getByRole('button', { name: 'Charts' }).click()
  await chart.waitFor()
}

async function showRequest(window: Page): Promise<void> {
  const grid = window.getByRole('grid', { name: 'Requests' })
  await grid.getByText('Fallback').first().click()
  await window.getByRole('list', { name: 'Timeline' }).waitFor()
}

async function showUsage(window: Page): Promise<void> {
  await window.getByRole('figure', { name: 'Outcomes' }).waitFor()
}

const fallbacks = '/activity?range=24h&model=google:gemini-3.5-flash&end=fallback'

function picturesOf(routerId: string): Picture[] {
  const router = `/routers/${routerId}`
  return [
    { name: 'home', path: '/home', show: waitForText('Web shop') },
    { name: 'chat', path: '/chat', show: showConversation },
    { name: 'routers', path: '/routers', show: waitForText('Code review') },
    { name: 'router', path: `${router}?range=30d`, show: showFigure },
    { name: 'router-models', path: `${router}?tab=models`, show: showFigures },
    { name: 'router-strategy', path: `${router}?tab=strategy`, show: showStrategies },
    { name: 'router-rules', path: `${router}?tab=rules`, show: showFigures },
    { name: 'router-tune', path: `${router}?tab=tune`, show: waitForText('shop-questions.jsonl') },
    { name: 'agents', path: '/routers?view=agents', show: showFigure },
    { name: 'agent', path: '/agents/draft-critique-revise', show: showText },
    { name: 'activity', path: '/activity', show: waitForText('Answered') },
    { name: 'request', path: fallbacks, show: showRequest },
    { name: 'charts', path: '/activity?view=charts&range=30d', show: showUsage },
    { name: 'models', path: '/models', show: showModels },
    { name: 'providers', path: '/models?view=providers', show: showProviders },
    { name: 'connect', path: '/connect', show: waitForText('Codex') },
    { name: 'settings', path: '/settings/general', show: waitForText('General') },
  ]
}

async function showFigure(window: Page): Promise<void> {
  await window.getByRole('figure').first().waitFor()
}

/** What past requests did under the saved settings. */
async function showFigures(window: Page): Promise<void> {
  await window.getByRole('table', { name: 'Figures of the replayed requests' }).waitFor()
}

async function showText(window: Page): Promise<void> {
  await window.getByText('No problems').waitFor()
}

async function showModels(window: Page): Promise<void> {
  await window.getByRole('rowheader').first().waitFor()
}

/** The path of the local model begins with the home folder of whoever makes the pictures. */
async function showProviders(window: Page): Promise<void> {
  const modelPath = window.getByText(/\.gguf$/)
  await modelPath.waitFor()
  await modelPath.evaluate((element) => {
    element.textContent = element.textContent.replace(/^.*(?=\/models\/)/, '~/.cache/modelport')
  })
}

/** Each strategy with what it would have cost. */
async function showStrategies(window: Page): Promise<void> {
  await window
    .getByText(/% cost/)
    .first()
    .waitFor()
}

/** Stores the providers' keys. @returns the id of the router that the pictures show */
async function prepareWindow(window: Page): Promise<string> {
  return window.evaluate(async () => {
    for (const id of ['openai', 'anthropic', 'google']) {
      await modelport.call('providers:set-key', { id, apiKey: `key-of-${id}-for-pictures` })
    }
    await modelport.call('settings:set', { name: 'locale', value: 'en-US' })
    const routers = await modelport.call('routers:list', undefined)
    if (!routers.ok) throw new Error(routers.error.message)
    return routers.value.find(({ name }) => name === 'Web shop')?.id ?? ''
  })
}

/** A picture of the page once it no longer changes. */
async function stablePicture(window: Page): Promise<Buffer> {
  // Nothing is hovered.
  await window.mouse.move(640, 1)
  let picture = await window.screenshot({ animations: 'disabled' })
  await expect(async () => {
    const last = picture
    picture = await window.screenshot({ animations: 'disabled' })
    expect(picture.equals(last)).toBe(true)
  }).toPass({ intervals: [150], timeout: 8_000 })
  return picture
}

test('every page is pictured light and dark, with three months of requests', async ({
  dataDir,
  launchApp,
}) => {
  test.setTimeout(240_000)
  await promisify(execFile)(process.execPath, [seedScript, dataDir])
  await mkdir(folder, { recursive: true })
  const { app, window } = await launchApp({ page: '/home' })
  await resizeWindow(app, window, { width: 1280, height: 820 })
  const pictures = picturesOf(await prepareWindow(window))
  for (const theme of themes) {
    await window.evaluate(async (value) => {
      await modelport.call('settings:set', { name: 'theme', value })
    }, theme)
    for (const { name, path, show } of pictures) {
      await window.evaluate((hash) => {
        location.hash = hash
      }, path)
      await show(window)
      await writeFile(new URL(`${name}-${theme}.png`, folder), await stablePicture(window))
    }
  }
})
