/** A key that another program uses is one line in Home, until its owner says that it was expected. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import { Agent, fetch } from 'undici'
import { expect, test } from './fixtures.ts'
import { savePicture } from './pictures.ts'

async function createKey(window: Page): Promise<string> {
  const key = await window.evaluate(async () => {
    const created = await modelport.call('keys:create', { name: 'Laptop script', routers: 'all' })
    return created.ok ? created.value.key : null
  })
  if (key === null) throw new Error('the key was not created')
  return key
}

/** A request of this program, which is refused because it has no messages. */
async function call(window: Page, { key, program }: { key: string; program: string }) {
  const place = await window.evaluate(async () => {
    const endpoint = await modelport.call('endpoint:listen', { port: 0 })
    const routers = await modelport.call('routers:list', undefined)
    if (!endpoint.ok || endpoint.value.status !== 'listening' || !routers.ok) return null
    const { url, caFile } = endpoint.value
    return { caFile, router: `${url}/api/router/${routers.value[0]?.id}` }
  })
  if (place === null) throw new Error('the endpoint does not listen')
  const answer = await fetch(`${place.router}/v1/chat/completions`, {
    method: 'POST',
    dispatcher: new Agent({ connect: { ca: await readFile(place.caFile, 'utf8') } }),
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'user-agent': program,
    },
    body: '{}',
  })
  expect(answer.status).toBe(400)
}

/** The key's first day is over. */
function letTwoDaysPass(dataDir: string): void {
  const db = new DatabaseSync(join(dataDir, 'modelport.db'))
  db.exec('UPDATE key_callers SET first_at_ms = first_at_ms - 172800000')
  db.close()
}

test('a key’s first use from another program is on Home until “It was me”', async ({
  openApp,
  restartApp,
}) => {
  const first = await openApp('/home')
  const key = await createKey(first.window)
  await call(first.window, { key, program: 'curl/8.5.0' })
  await first.app.close()
  letTwoDaysPass(first.dataDir)

  const { window } = await restartApp('/home')
  await call(window, { key, program: 'curl/8.6.0' })
  await call(window, { key, program: 'thief/1.0' })
  const line = window.getByRole('listitem').filter({
    hasText: 'The key Laptop script was used by another program for the first time: thief',
  })
  await expect(line).toBeVisible()
  await expect(line.getByRole('link', { name: 'Rotate or revoke' })).toBeVisible()
  await savePicture(window, 'unexpected-calls-home')

  await line.getByRole('button', { name: 'It was me' }).click()
  await expect(line).toHaveCount(0)
  await call(window, { key, program: 'thief/2.0' })
  await call(window, { key, program: 'second-thief/2.0' })
  const second = window.getByRole('listitem').filter({ hasText: 'second-thief' })
  await expect(second).not.toContainText('more')

  await second.getByRole('link', { name: 'Show requests' }).click()
  await expect(window.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible()
  await expect(window.getByText('Laptop script').first()).toBeVisible()
})
