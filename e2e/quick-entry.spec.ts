// The quick entry: the small window for one question, its shortcut, and the way from it to the main window.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import axeCore from 'axe-core'
import type { ElectronApplication, Page } from '@playwright/test'
import { startFakeProvider } from '../test/fake-provider.ts'
import { setLook } from './examine.ts'
import { expect, test, untilEnded } from './fixtures.ts'
import { savePicture } from './pictures.ts'
import { pressKeys } from './press-keys.ts'

const repositoryDir = fileURLToPath(new URL('..', import.meta.url))

/** Starts the app a second time with `--ask`; it ends at once. */
async function ask(dataDir: string): Promise<void> {
  const electron = process.env['MODELPORT_ELECTRON'] ?? ''
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const env = { ...process.env, MODELPORT_DATA_DIR: dataDir }
  const second = spawn(electron, [...asRoot, repositoryDir, '--ask'], { env, stdio: 'ignore' })
  const [exitCode]: unknown[] = await once(second, 'exit')
  expect(exitCode).toBe(0)
}

async function addRouter(window: Page, baseUrl: string): Promise<void> {
  await window.evaluate(async (url) => {
    await modelport.call('providers:add', { id: 'fake', type: 'openai-compatible', baseUrl: url })
    const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 8000 }
    await modelport.call('models:save', { id: 'fake:quick', ...price })
    const models = ['fake:quick']
    await modelport.call('routers:create', { name: 'Quick', strategy: 'priority', models })
  }, baseUrl)
}

/** Whether the small window is shown; null before its first use. */
function isShown(app: ElectronApplication): Promise<boolean | null> {
  return app.evaluate(({ BrowserWindow }) => {
    const quick = BrowserWindow.getAllWindows().find((one) => one.isAlwaysOnTop())
    return quick?.isVisible() ?? null
  })
}

const question = 'What is the capital of Japan?'

test('a second start with --ask opens it; its answer goes to the main window, and a draft stays', async ({
  openApp,
}) => {
  const model = { text: 'Tokyo, since 1868.', chunks: 6 }
  const upstream = await startFakeProvider({ tls: false, models: { quick: model } })
  const { app, window, dataDir } = await openApp('/home')
  await addRouter(window, upstream.url)
  expect(await isShown(app)).toBeNull()

  const opened = app.waitForEvent('window')
  await ask(dataDir)
  const quick = await opened
  const message = quick.getByRole('textbox', { name: 'Message' })
  await expect(message).toBeFocused()
  await quick.getByRole('combobox', { name: 'Router' }).click()
  await quick.getByRole('option', { name: 'Quick' }).click()
  await message.fill(question)
  await quick.keyboard.press('Escape')
  await expect.poll(() => isShown(app)).toBe(false)
  await ask(dataDir)
  await expect.poll(() => isShown(app)).toBe(true)
  await expect(message).toHaveValue(question)
  await message.press('Enter')

  await expect(quick.getByRole('article', { name: 'Answer' })).toContainText('Tokyo, since 1868.')
  await expect(quick.getByRole('heading', { level: 1 })).toHaveText(question)
  await message.press('Control+Enter')

  await expect.poll(() => isShown(app)).toBe(false)
  await expect(window.getByRole('heading', { level: 1 })).toHaveText(question)
  await expect(window.getByRole('article', { name: 'Answer' })).toContainText('Tokyo, since 1868.')
  expect(new URL(window.url()).hash).toBe('#/chat')
  // The next question is a new conversation.
  await ask(dataDir)
  await expect(quick.getByRole('heading', { level: 1 })).toHaveText('Quick entry')
  await expect(message).toBeFocused()
  await upstream.close()
})

test('both windows show an answer while it arrives, the same draft, and can stop the answer', async ({
  openApp,
}) => {
  const fault = { kind: 'hang', afterEvents: 2 } as const
  const model = { text: 'One Two', chunks: 2, fault }
  const upstream = await startFakeProvider({ tls: false, models: { quick: model } })
  const { app, window } = await openApp()
  await addRouter(window, upstream.url)
  const opened = app.waitForEvent('window')
  await window.evaluate(() => modelport.call('quick-entry:show', undefined))
  const quick = await opened
  const message = quick.getByRole('textbox', { name: 'Message' })
  await quick.getByRole('combobox', { name: 'Router' }).click()
  await quick.getByRole('option', { name: 'Quick' }).click()

  await message.fill('Count')
  await expect(window.getByRole('textbox', { name: 'Message' })).toHaveValue('Count')
  await message.press('Enter')
  await expect(window.getByRole('textbox', { name: 'Message' })).toHaveValue('')
  await window.getByRole('button', { name: /^Count/ }).click()
  const answers = [quick, window].map((page) => page.getByRole('article', { name: 'Answer' }))
  for (const answer of answers) {
    await expect(answer).toContainText('One')
    await expect(answer).toHaveAttribute('aria-busy', 'true')
  }

  await window.getByRole('button', { name: 'Stop', exact: true }).click()
  for (const answer of answers) await expect(answer).toContainText('The partial answer is saved')

  // A branch that one window shows is shown in the other.
  await window.getByRole('button', { name: 'Try again' }).click()
  // An answer without a word would give way to the older one.
  for (const answer of answers) {
    await expect(answer).toHaveAttribute('aria-busy', 'true')
    await expect(answer).toContainText('One')
  }
  await window.getByRole('button', { name: 'Stop', exact: true }).click()
  const versions = [quick, window].map((page) =>
    page.getByRole('group', { name: 'Versions of the answer' }),
  )
  for (const shown of versions) await expect(shown).toContainText('2/2')
  await window.getByRole('button', { name: 'Previous version' }).click()
  for (const shown of versions) await expect(shown).toContainText('1/2')
  await upstream.close()
})

test('every control is reached by Tab, and axe finds nothing in either theme', async ({
  openApp,
}) => {
  const upstream = await startFakeProvider({ tls: false, models: { quick: { text: 'Yes.' } } })
  const { app, window } = await openApp()
  await addRouter(window, upstream.url)
  const opened = app.waitForEvent('window')
  await window.evaluate(() => modelport.call('quick-entry:show', undefined))
  const quick = await opened
  const message = quick.getByRole('textbox', { name: 'Message' })
  await message.waitFor()
  await quick.evaluate(axeCore.source)
  for (const theme of ['dark', 'light'] as const) {
    await setLook(quick, { theme, density: 'comfortable' })
    const { violations } = await quick.evaluate(() => axe.run(document))
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    await savePicture(quick, `quick-entry-${theme}`)
  }

  await quick.getByRole('combobox', { name: 'Router' }).focus()
  const names = []
  for (let step = 0; step < 3; step += 1) {
    await quick.keyboard.press('Tab')
    names.push(await quick.evaluate(() => document.activeElement?.getAttribute('aria-label')))
  }
  expect(names).toEqual(['New chat (Ctrl+N)', 'Open in the main window (Ctrl+Enter)', 'Hide (Esc)'])
  await message.fill('Yes?')
  await message.press('Enter')
  await expect(quick.getByRole('article', { name: 'Answer' })).toContainText('Yes.')
  const { violations } = await quick.evaluate(() => axe.run(document))
  expect(violations.map(({ id }) => id)).toEqual([])
  await savePicture(quick, 'quick-entry-answer')
  await upstream.close()
})

test('a shortcut is set once its keys were pressed, opens the window, and is kept for the next start', async ({
  openApp,
  restartApp,
}) => {
  const first = await openApp('/settings/general')
  const card = first.window.getByRole('region', { name: 'Quick entry' })
  await expect(card).toContainText('No shortcut')
  await card.getByRole('button', { name: 'Set shortcut' }).click()
  await expect(card.getByRole('button', { name: 'Press the keys…' })).toBeFocused()
  await first.window.keyboard.press('Control+Shift+Space')
  await expect(card.getByRole('status')).toContainText('Press Ctrl+Shift+Space now')
  await expect(card).toContainText('No shortcut')

  await pressKeys('Control', 'Shift', 'Space')
  await expect(card).toContainText('Shortcut: Ctrl+Shift+Space')
  expect(await isShown(first.app)).toBeNull()
  await savePicture(first.window, 'quick-entry-settings')

  await pressKeys('Control', 'Shift', 'Space')
  await expect.poll(() => isShown(first.app)).toBe(true)
  await first.app.close()

  const second = await restartApp('/settings/general')
  const kept = second.window.getByRole('region', { name: 'Quick entry' })
  await expect(kept).toContainText('Shortcut: Ctrl+Shift+Space')
  await pressKeys('Control', 'Shift', 'Space')
  await expect.poll(() => isShown(second.app)).toBe(true)

  await kept.getByRole('button', { name: 'Turn off' }).click()
  await expect(kept).toContainText('No shortcut')
})

test('a shortcut that another program has is refused, and the page names the command', async ({
  launchApp,
}) => {
  const { app, window } = await launchApp({ page: '/settings/general' })
  await app.evaluate(({ globalShortcut }) => {
    globalShortcut.register('CommandOrControl+Shift+Space', () => {})
  })
  const card = window.getByRole('region', { name: 'Quick entry' })
  await card.getByRole('button', { name: 'Set shortcut' }).click()
  await window.keyboard.press('Control+Shift+Space')

  await expect(card.getByRole('alert')).toContainText('The system refuses Ctrl+Shift+Space')
  await expect(card.getByRole('region', { name: 'command' })).toContainText('--ask')
  await expect(card).toContainText('No shortcut')
})

test('a first start with --ask shows only the small window, and closing it quits', async ({
  launchHidden,
}) => {
  const app = await launchHidden({ switches: ['--ask'] })
  const quick = app.windows()[0] ?? (await app.waitForEvent('window'))
  await expect(quick.getByRole('heading', { level: 1, name: 'Quick entry' })).toBeAttached()
  expect(await isShown(app)).toBe(true)
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)

  // Nothing else shows the app: without a tray, a hidden window would keep it running.
  await untilEnded(app, () => quick.keyboard.press('Escape'))
})
