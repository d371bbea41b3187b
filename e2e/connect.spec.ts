/** A tool from its card to its first request, with its file written and undone. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, fetch } from 'undici'
import { expect, test } from './fixtures.ts'
import { countInput, reach } from './pointer-count.ts'

const original = '{\n  // my own settings\n  "model": "opus"\n}\n'

test('Claude Code is connected in three clicks, answers, and its file is restored; also by keyboard', async ({
  launchApp,
}) => {
  const home = await mkdtemp(join(tmpdir(), 'modelport-home-'))
  const settingsFile = join(home, '.claude', 'settings.json')
  await mkdir(join(home, '.claude'))
  await writeFile(settingsFile, original)
  const { app, window } = await launchApp({ env: { CLAUDE_CONFIG_DIR: join(home, '.claude') } })
  const copied = () => app.evaluate(({ clipboard }) => clipboard.readText())
  await window.evaluate(() => modelport.call('endpoint:listen', { port: 0 }))

  const keys = () => window.evaluate(() => modelport.call('keys:list', undefined))

  const counts = await countInput(window)
  await window.getByRole('link', { name: 'Connect' }).click()
  await window.getByRole('button', { name: 'Connect Claude Code', exact: true }).click()
  const dialog = window.getByRole('dialog', { name: 'Connect Claude Code' })
  await expect(dialog.getByText('Waiting for the first request.')).toBeVisible()
  await expect(dialog.getByText(settingsFile)).toBeVisible()

  // A look at the dialog makes no key.
  expect(await keys()).toMatchObject({ value: [] })
  await dialog.getByRole('button', { name: 'Write this file' }).click()
  await expect(dialog.getByText('Written.')).toBeVisible()
  expect(await counts()).toMatchObject({ clicks: 3, keys: 0 })
  const written = await readFile(settingsFile, 'utf8')
  expect(written).toContain('// my own settings')
  await dialog.getByText('Set it up by hand').click()
  await dialog.getByRole('button', { name: 'Copy key' }).click()
  await expect.poll(copied).toMatch(/^mp_[0-9A-Za-z]{36}$/)
  const key = await copied()
  expect(written).toContain(key)

  await dialog.getByRole('button', { name: 'Copy base url' }).click()
  await expect.poll(copied).not.toBe(key)
  const baseUrl = await copied()
  await dialog.getByRole('button', { name: 'Copy certificate' }).click()
  await expect.poll(copied).not.toBe(baseUrl)
  const caFile = await copied()
  const dispatcher = new Agent({ connect: { ca: await readFile(caFile, 'utf8') } })
  const headers = {
    'x-api-key': key,
    'anthropic-version': '2023-06-01',
    'content-type': 'application/json',
    'user-agent': 'claude-cli/2.1.330 (external, cli)',
  }
  const body = JSON.stringify({
    model: 'claude-opus-5-5',
    max_tokens: 8,
    messages: [{ role: 'user', content: 'Hello' }],
  })
  const call = () => fetch(`${baseUrl}/v1/messages`, { method: 'POST', dispatcher, headers, body })
  expect((await call()).status).toBe(200)
  await expect(dialog.getByText(/^Claude Code is connected: local:\S+ answered for/)).toBeVisible()

  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(window.getByText(key)).toHaveCount(0)
  await window.getByRole('button', { name: 'Undo the connection of Claude Code' }).click()
  await expect(window.getByText(/^connected/)).toHaveCount(0)
  expect(await readFile(settingsFile, 'utf8')).toBe(original)
  expect((await call()).status).toBe(401)

  const { clicks } = await counts()
  await reach(window.getByRole('button', { name: 'Connect Claude Code', exact: true }))
  await reach(dialog.getByRole('button', { name: 'Write this file' }))
  await expect(dialog.getByText('Written.')).toBeVisible()
  await reach(dialog.getByRole('button', { name: 'Done' }))
  await expect(window.getByText(/^connected/)).toBeVisible()
  expect((await counts()).clicks).toBe(clicks)
  await dispatcher.close()
  await rm(home, { recursive: true })
})
