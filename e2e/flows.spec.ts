// The other ways into Modelport, and an ordinary day's trouble: how many clicks each takes, and that keys are enough.
import { execFileSync } from 'node:child_process'
import type { Page } from '@playwright/test'
import { startFakeProvider } from '../test/fake-provider.ts'
import { startFakeOllama } from '../test/upstreams/ollama/fake.ts'
import { expect, test } from './fixtures.ts'
import { savePicture } from './pictures.ts'
import { clicksBy, countInput, reach, use, ways } from './pointer-count.ts'

const details = (window: Page) => window.getByRole('list', { name: 'Answer details' })

async function ask(window: Page, text: string): Promise<void> {
  await window.getByRole('textbox', { name: 'Message' }).fill(text)
  await window.keyboard.press('Enter')
}

for (const way of ways) {
  test(`with a model server on this computer, the first routed answer takes three clicks, by ${way}`, async ({
    openApp,
  }) => {
    const ollama = await startFakeOllama({ port: 11_434, models: { 'llama3.2:1b': {} } })
    try {
      const { window } = await openApp('/home')
      const counts = await countInput(window)

      await use(window.getByRole('button', { name: 'Add Ollama' }), way)
      await use(window.getByRole('button', { name: /^Create router “Balanced”/ }), way)
      await expect(window.getByRole('textbox', { name: 'Message' })).toBeFocused()
      await window.keyboard.insertText('Hello')
      await use(window.getByRole('button', { name: 'Send' }), way)

      await expect(details(window)).toContainText('ollama:llama3.2:1b')
      expect(await counts()).toMatchObject(clicksBy(way, 3))
    } finally {
      await ollama.close()
    }
  })

  test(`the demo answers after two clicks, and says that it is one, by ${way}`, async ({
    openApp,
  }) => {
    const { window } = await openApp('/home')
    const counts = await countInput(window)

    await use(window.getByRole('link', { name: 'Open chat' }), way)
    await expect(
      window.getByText('only the demo model, whose answers are often wrong'),
    ).toBeVisible()
    await expect(window.getByRole('textbox', { name: 'Message' })).toBeFocused()
    await window.keyboard.insertText('Hello')
    await use(window.getByRole('button', { name: 'Send' }), way)

    await expect(details(window)).toContainText('local:smollm2-135m-instruct', { timeout: 120_000 })
    expect(await counts()).toMatchObject(clicksBy(way, 2))
  })
}

/** A router with one model, which costs something, and the chat on it. */
async function openShop(window: Page, baseUrl: string): Promise<void> {
  await window.evaluate(async (url) => {
    await modelport.call('endpoint:listen', { port: 0 })
    await modelport.call('providers:add', { id: 'team', type: 'openai-compatible', baseUrl: url })
    const price = { inputUsdPerMtok: 100, outputUsdPerMtok: 200, contextTokens: 8_000 }
    await modelport.call('models:save', { id: 'team:small', ...price })
    const router = { name: 'Web shop', strategy: 'priority' as const, models: ['team:small'] }
    await modelport.call('routers:create', router)
    location.hash = '/chat'
  }, baseUrl)
  await expect(window.getByRole('combobox', { name: 'Router' })).toContainText('Web shop')
}

async function setBudget(window: Page, budgetUsdPerDay: number): Promise<void> {
  await window.evaluate(async (usd) => {
    const read = await modelport.call('routers:list', undefined)
    const found = read.ok ? read.value.find(({ name }) => name === 'Web shop') : undefined
    if (!found) throw new Error('no router')
    const { name, strategy, models } = found
    const router = { name, strategy, models, budgetUsdPerDay: usd }
    await modelport.call('routers:update', { id: found.id, router })
  }, budgetUsdPerDay)
}

test('a used budget is raised and the question asked again in five clicks, and by keyboard', async ({
  openApp,
}) => {
  const upstream = await startFakeProvider({ tls: false, models: { small: {} } })
  const { window } = await openApp()
  const answer = window.getByRole('article', { name: 'Answer' }).last()
  const raise = answer.getByRole('link', { name: 'Raise budget' })
  const budget = window.getByRole('textbox', { name: 'Daily budget' })
  const save = window.getByRole('button', { name: 'Save', exact: true })
  const chat = window.getByRole('link', { name: 'Chat', exact: true })
  try {
    await openShop(window, upstream.url)
    await ask(window, 'Hello')
    await expect(details(window)).toHaveCount(1)

    await setBudget(window, 0.000_01)
    await ask(window, 'Is it used up?')
    await expect(answer).toContainText(/It resets (in \d+ (hours?|minutes?)|tomorrow)/)
    await expect(answer.getByRole('button', { name: 'Try again' })).toHaveCount(0)
    const clicks = await countInput(window)
    await raise.click()
    await budget.click()
    await window.keyboard.press('ControlOrMeta+A')
    await window.keyboard.insertText('50')
    await save.click()
    await expect(window.getByText('Saved.')).toBeVisible()
    await chat.click()
    await expect(raise).toHaveCount(0)
    await answer.getByRole('button', { name: 'Try again' }).click()
    await expect(details(window)).toHaveCount(2)
    expect((await clicks()).clicks).toBe(5)

    await setBudget(window, 0.000_02)
    await ask(window, 'And now?')
    await expect(raise).toBeVisible()
    const keys = await countInput(window)
    await reach(raise)
    await reach(budget, 'ControlOrMeta+A')
    await window.keyboard.type('60')
    await reach(save)
    await expect(window.getByText('Saved.')).toBeVisible()
    await reach(chat)
    await reach(answer.getByRole('button', { name: 'Try again' }))
    await expect(details(window)).toHaveCount(3)
    expect((await keys()).clicks).toBe(0)

    // Both refusals have a row, which says that they came from this window.
    await window.evaluate(() => void (location.hash = '/activity?view=refused'))
    const rows = window.getByRole('row', { name: /budget_exceeded.*window.*Web shop/ })
    await expect(rows).toHaveCount(2)
  } finally {
    await upstream.close()
  }
})

// The limit of file sizes is Linux's.
if (process.platform === 'linux')
  test('a full disk is said once, and takes no click once there is space', async ({
    launchApp,
  }) => {
    const upstream = await startFakeProvider({ tls: false, models: { small: {} } })
    const { app, window } = await launchApp()
    // The system's limit of file sizes makes each write fail; its signal would end the process.
    const pid = await app.evaluate(() => process.on('SIGXFSZ', () => undefined).pid)
    const limitFiles = (bytes: string) =>
      execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])
    try {
      await openShop(window, upstream.url)
      await ask(window, 'Hello')
      await expect(details(window)).toHaveCount(1)

      limitFiles('4096')
      await ask(window, 'Is there space?')
      const said = window.getByText(/^The (disk is full|database cannot be written), so Modelport/)
      await expect(said).toBeVisible()
      const counts = await countInput(window)
      await expect(said).toHaveCount(1)
      await expect(window.getByRole('region', { name: 'Alarms' }).getByRole('button')).toHaveCount(
        0,
      )
      await savePicture(window, 'disk-full')

      limitFiles('unlimited')
      await expect(said).toHaveCount(0)
      await ask(window, 'And now?')
      await expect(details(window).last()).toContainText('team:small')
      expect((await counts()).clicks).toBe(0)
    } finally {
      limitFiles('unlimited')
      await upstream.close()
    }
  })
