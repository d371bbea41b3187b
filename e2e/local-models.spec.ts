/** The page Providers downloads, pauses and deletes local models, and adds files of the user's own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRangeServer } from '../test/local/range-server.ts'
import { ownTitle, writeOwnModelFile } from '../test/local/own-model-file.ts'
import { expect, test } from './fixtures.ts'
import { openPlace } from './places.ts'

const patience = { timeout: 60_000 }
/** The size of SmolLM2 360M; the server sends only its beginning. */
const modelBytes = 386_404_992

test('a download shows its progress, is paused, continues after a restart, and is deleted', async ({
  launchApp,
}) => {
  const content = Buffer.alloc(modelBytes)
  content.write('GGUF')
  const server = await openRangeServer(content, [
    { holdAfter: 120_000_000 },
    { holdAfter: 40_000_000 },
  ])
  const cacheDir = await mkdtemp(join(tmpdir(), 'modelport-cache-'))
  const env = { MODELPORT_CACHE_DIR: cacheDir, HF_ENDPOINT: server.url }
  const { app, window } = await launchApp({ env })
  await openPlace(window, 'Models', 'Providers')
  await window.getByText('Models to download (7)').click()
  const row = window.getByRole('listitem', { name: 'SmolLM2 360M' })
  await expect(row).toContainText('386 MB · 8,192 tokens of context · needs about 903 MB of memory')

  await row.getByRole('button', { name: 'Download SmolLM2 360M' }).click()
  const dialog = window.getByRole('alertdialog')
  await expect(dialog).toContainText('Apache 2.0')
  await dialog.getByRole('button', { name: 'Download' }).click()
  // Progress is shown in steps of half a percent, about 2 MB.
  await expect(row).toContainText(/1(18|19|20) MB of 386 MB/, patience)
  await row.getByRole('button', { name: 'Pause SmolLM2 360M' }).click()
  await expect(row.getByText('paused')).toBeVisible(patience)

  await app.close()
  const restarted = await launchApp({ env })
  await openPlace(restarted.window, 'Models', 'Providers')
  const again = restarted.window.getByRole('listitem', { name: 'SmolLM2 360M' })
  await expect(again.getByText('paused')).toBeVisible()
  await again.getByRole('button', { name: 'Resume SmolLM2 360M' }).click()
  await expect(again).toContainText(/1(58|59|60) MB of 386 MB/, patience)
  expect(server.requests.at(-1)).toMatchObject({ range: 'bytes=120000000-' })

  await again.getByRole('button', { name: 'Pause SmolLM2 360M' }).click()
  await again.getByRole('button', { name: 'Delete SmolLM2 360M' }).click()
  await restarted.window.getByRole('button', { name: 'Delete model' }).click()
  await restarted.window.getByText('Models to download (7)').click(patience)
  await expect(again.getByRole('button', { name: 'Download SmolLM2 360M' })).toBeVisible()
  await expect(again).not.toContainText('of 386 MB')
  server.close()
  await rm(cacheDir, { recursive: true })
})

test('a model file is added under its own name, answers, and is forgotten', async ({
  openApp,
  dataDir,
}) => {
  const { app, window } = await openApp()
  const builtIn = await window.evaluate(async () => {
    const state = await modelport.call('app:state', undefined)
    return state.ok && 'file' in state.value.localModel ? state.value.localModel.file : null
  })
  const file = await writeOwnModelFile(builtIn ?? '', join(dataDir, 'Otter.gguf'))
  await app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
  }, file)
  await openPlace(window, 'Models', 'Providers')

  await window.getByRole('button', { name: 'Add model file' }).click()

  const row = window.getByRole('listitem', { name: ownTitle })
  await expect(row).toContainText('local:otter', patience)
  await expect(row).toContainText('2,048 tokens of context')
  await row.getByRole('button', { name: `Delete ${ownTitle}` }).click()
  await expect(window.getByRole('alertdialog')).toContainText('Your file stays where it is.')
  await window.getByRole('button', { name: 'Delete model' }).click()
  await expect(row).toHaveCount(0)
})
