// The window's life: one app per data folder, the last position, and quitting.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ElectronApplication } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { openPlace } from './places.ts'

const repositoryDir = fileURLToPath(new URL('..', import.meta.url))

/** Starts the app a second time on the data folder, with further arguments; resolves to its exit code. */
async function startSecond(dataDir: string, ...further: string[]): Promise<unknown> {
  const electron = process.env['MODELPORT_ELECTRON'] ?? ''
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const env = { ...process.env, MODELPORT_DATA_DIR: dataDir }
  const second = spawn(electron, [...asRoot, repositoryDir, ...further], { env, stdio: 'ignore' })
  const [exitCode] = await once(second, 'exit')
  return exitCode
}

function bounds(app: ElectronApplication): Promise<Electron.Rectangle | undefined> {
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds())
}

test('a second start shows the first one’s window and exits', async ({ openApp }) => {
  const { app, dataDir } = await openApp()
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())

  expect(await startSecond(dataDir)).toBe(0)

  const isVisible = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => one.isVisible()))
  await expect.poll(isVisible).toEqual([true])
})

test('a window whose page has crashed loads it again', async ({ launchApp }) => {
  const { app } = await launchApp()
  const titleIn = () =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
        "document.querySelector('nav')?.textContent ?? ''",
      ),
    )
  await expect.poll(titleIn, { timeout: 60_000 }).toContain('Routers')
  await app.evaluate(({ BrowserWindow }) => {
    const page = BrowserWindow.getAllWindows()[0]?.webContents
    return new Promise((resolve) => {
      page?.once('render-process-gone', resolve)
      page?.forcefullyCrashRenderer()
    })
  })
  await expect.poll(titleIn, { timeout: 60_000 }).toContain('Routers')
})

test('a link opens its page in the running app, and an unknown link says so', async ({
  openApp,
}) => {
  const { window, dataDir } = await openApp()
  await window.getByRole('navigation', { name: 'Pages' }).waitFor()
  const title = window.getByRole('heading', { level: 1 })

  expect(await startSecond(dataDir, 'modelport://keys')).toBe(0)
  await expect(title).toHaveText('Connect')

  await startSecond(dataDir, 'modelport://no/such-page')
  await expect(window.getByText('Modelport has no page for the link /no/such-page.')).toBeVisible()
  await expect(title).toHaveText('Connect')

  await window.reload()
  await expect(title).toHaveText('Connect')
})

test('the window opens at its last position, on its last page and in its last theme', async ({
  launchApp,
}) => {
  const first = await launchApp()
  const placed = { x: 60, y: 50, width: 900, height: 640 }
  await first.app.evaluate(({ BrowserWindow }, where) => {
    BrowserWindow.getAllWindows()[0]?.setBounds(where)
  }, placed)
  await expect.poll(() => bounds(first.app)).toEqual(placed)
  await first.window.evaluate(() =>
    modelport.call('settings:set', { name: 'theme', value: 'dark' }),
  )
  const isDark = () => first.app.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors)
  await expect.poll(isDark).toBe(true)
  await openPlace(first.window, 'Models', 'Providers')
  await first.window.getByRole('button', { name: 'Add provider' }).click()
  await first.window.getByRole('dialog').waitFor()
  await first.app.close()

  const second = await launchApp({ page: null })

  // Playwright can lose an answer of the main process while it starts.
  await expect(async () => expect(await bounds(second.app)).toEqual(placed)).toPass()
  const look = await second.app.evaluate(({ BrowserWindow, nativeTheme }) => ({
    theme: nativeTheme.themeSource,
    background: BrowserWindow.getAllWindows()[0]?.getBackgroundColor(),
  }))
  expect(look).toEqual({ theme: 'dark', background: '#121615' })
  await expect(second.window.getByRole('heading', { level: 1 })).toHaveText('Models')
  // Without the dialog that was open.
  await expect(second.window.getByRole('button', { name: 'Add provider' })).toBeVisible()
  await expect(second.window.getByRole('dialog')).toHaveCount(0)
})

test('a window whose display is gone opens on another display', async ({ launchApp, dataDir }) => {
  const state = {
    bounds: { x: 9_000, y: 50, width: 900, height: 640 },
    isMaximized: false,
    theme: 'system',
  }
  await writeFile(join(dataDir, 'window.json'), JSON.stringify(state))

  const { app } = await launchApp()

  expect((await bounds(app))?.x).toBeLessThan(2_000)
})

test('the window cannot be smaller than its content requires', async ({ openApp }) => {
  const { app } = await openApp()

  const smallest = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.getMinimumSize(),
  )

  expect(smallest).toEqual([720, 480])
})

test('quitting closes the service: the next start finds the folder unlocked and the data intact', async ({
  launchApp,
}) => {
  const first = await launchApp()
  const created = await first.window.evaluate(() =>
    modelport.call('keys:create', { name: 'kept', routers: 'all' }),
  )
  expect(created.ok).toBe(true)
  await first.app.close()

  const second = await launchApp({ page: null })

  const keys = await second.window.evaluate(() => modelport.call('keys:list', undefined))
  expect(keys).toMatchObject({ ok: true, value: [{ name: 'kept' }] })
})
