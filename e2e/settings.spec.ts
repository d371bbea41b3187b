/** The Settings page determines how requests are recorded and served, and what is learnt from their answers. */
import { startFakeProvider } from '../test/fake-provider.ts'
import { expect, test } from './fixtures.ts'
import { openSettings } from './open-settings.ts'
import { savePicture } from './pictures.ts'

test('durability, the fast path and limits are changed on the Settings page', async ({
  openApp,
}) => {
  const { app, window } = await openApp()
  await openSettings(window, 'Data')
  const strict = window.getByRole('radio', { name: 'Strict' })
  await expect(window.getByRole('radio', { name: 'Fast' })).toBeChecked()
  await strict.press('Space')
  await expect(strict).toBeChecked()

  // Without a name, the system would ask for one.
  await app.evaluate(({ session }) =>
    session.defaultSession.once('will-download', (event) => event.preventDefault()),
  )
  await window.getByRole('button', { name: 'Export configuration' }).click()
  await expect(window.getByText(/^Exported \d+ providers?, .* 1 router,/)).toBeVisible()

  await openSettings(window, 'Server')
  const fastPath = window.getByRole('checkbox', { name: /fast path/ })
  await fastPath.press('Space')
  await expect(fastPath).not.toBeChecked()
  await window.getByRole('textbox', { name: 'Host name' }).fill('host.docker.internal')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('button', { name: 'Remove host.docker.internal' })).toBeVisible()

  await openSettings(window, 'Limits')
  const largest = window.getByRole('textbox', { name: 'Largest request (MiB)' })
  await largest.fill('9999')
  await window.keyboard.press('Enter')
  await expect(window.getByText('Enter 512 or less')).toBeVisible()
  await largest.fill('64')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('button', { name: 'Save' })).toBeHidden()

  const saved = await window.evaluate(() => modelport.call('settings:get', undefined))
  expect(saved).toMatchObject({
    ok: true,
    value: {
      durability: 'strict',
      fastLane: false,
      bodyLimitMib: 64,
      allowedHosts: ['host.docker.internal'],
    },
  })
})

test('density and format change at once and stay after a reload', async ({ openApp }) => {
  const { window } = await openApp()
  await openSettings(window, 'Appearance')
  const heightPx = () =>
    window.getByRole('link', { name: 'Routers' }).evaluate((link) => link.clientHeight)
  const comfortablePx = await heightPx()
  await window.getByRole('radio', { name: 'Compact' }).press('Space')
  await expect.poll(heightPx).toBeLessThan(comfortablePx)
  await window.getByRole('combobox', { name: 'Format' }).click()
  await window.getByRole('option', { name: 'German (Germany)' }).click()
  await expect(window.getByText(/1\.234\.567 · 1\.234,50\s\$/)).toBeVisible()

  await window.reload()

  await expect(window.getByText(/1\.234\.567/)).toBeVisible()
  await expect(window.locator('html')).toHaveAttribute('data-density', 'compact')
})

test('each signal of an answer has a switch on the Settings page', async ({ openApp }) => {
  const { window } = await openApp()
  await openSettings(window, 'Privacy and retention')
  const section = window.getByRole('region', { name: 'Learning from answers' })
  await expect(section.getByRole('checkbox')).toHaveCount(7)
  const refusals = section.getByRole('checkbox', { name: 'Refusals' })
  const repeats = section.getByRole('checkbox', { name: 'Repeated questions' })
  await expect(refusals).toBeChecked()
  await expect(repeats).not.toBeChecked()

  await refusals.press('Space')
  await expect(refusals).not.toBeChecked()
  await repeats.press('Space')
  await expect(repeats).toBeChecked()

  const saved = await window.evaluate(() => modelport.call('settings:get', undefined))
  expect(saved).toMatchObject({ ok: true, value: { signalRefused: false, signalAskedAgain: true } })
})

test('the signals of an answer are named in its explanation', async ({ openApp }) => {
  const text = 'I’m sorry, but I can’t help with that.'
  const upstream = await startFakeProvider({ tls: false, models: { 'gpt-5.4-nano': { text } } })
  const { window } = await openApp()
  await window.evaluate(async (baseUrl) => {
    const apiKey = 'sk-not-a-real-key'
    await modelport.call('providers:add', { id: 'openai', type: 'openai', baseUrl, apiKey })
    const models = ['openai:gpt-5.4-nano']
    await modelport.call('routers:create', { name: 'Everyday', strategy: 'adaptive', models })
  }, upstream.url)
  await window.getByRole('combobox', { name: 'Router' }).click()
  await window.getByRole('option', { name: 'Everyday' }).click()
  await window.getByRole('textbox', { name: 'Message' }).fill('What is the capital of France?')
  await window.keyboard.press('Enter')

  await window.getByRole('button', { name: 'Why this model?' }).click()
  const why = window.getByRole('dialog', { name: 'Why this model?' })
  const signals = why.getByText('What the answer shows by itself').locator('..')
  await expect(signals).toContainText('the model refused')
  await expect(signals).toContainText('weighs 0.1 bad ratings')
  await signals.scrollIntoViewIfNeeded()
  await savePicture(window, 'signals')
  await upstream.close()
})
