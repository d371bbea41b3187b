/** A request that Modelport refuses is seen wherever errors are shown. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { Agent, fetch } from 'undici'
import { expect, test } from './fixtures.ts'
import { savePicture } from './pictures.ts'
import { openPlace } from './places.ts'

/** Sends a request with a body that is not valid. @returns its id */
async function sendRefused(window: Page): Promise<{ id: string; routerId: string }> {
  const sent = await window.evaluate(async () => {
    const endpoint = await modelport.call('endpoint:listen', { port: 0 })
    const routers = await modelport.call('routers:list', undefined)
    const key = await modelport.call('keys:create', { name: 'Laptop script', routers: 'all' })
    if (!endpoint.ok || endpoint.value.status !== 'listening' || !routers.ok || !key.ok) return null
    const { url, caFile } = endpoint.value
    return { url, caFile, routerId: routers.value[0]?.id ?? '', key: key.value.key }
  })
  if (sent === null) throw new Error('the endpoint does not listen')
  const answer = await fetch(`${sent.url}/api/router/${sent.routerId}/v1/chat/completions`, {
    method: 'POST',
    dispatcher: new Agent({ connect: { ca: await readFile(sent.caFile, 'utf8') } }),
    headers: { authorization: `Bearer ${sent.key}`, 'content-type': 'application/json' },
    body: '{"messages": "Hello"}',
  })
  expect(answer.status).toBe(400)
  return { id: answer.headers.get('x-request-id') ?? '', routerId: sent.routerId }
}

test('a refused request is on Home, its router’s page, the keys and the requests', async ({
  openApp,
}) => {
  const { window } = await openApp('/home')
  const { id, routerId } = await sendRefused(window)
  const row = /invalid_parameter.*chat.*Laptop script.*Local/

  await expect(window.getByText('1 request refused in the last 24 hours')).toBeVisible()
  await expect(window.getByRole('row', { name: row })).toBeVisible()
  await savePicture(window, 'refusals-home')

  await window.evaluate((path) => void (location.hash = path), `/routers/${routerId}`)
  await expect(window.getByText('1 request refused in the last 24 hours')).toBeVisible()
  await savePicture(window, 'refusals-router')

  await openPlace(window, 'Connect')
  await expect(window.getByText(/^1 refused in 7 days/)).toBeVisible()
  await savePicture(window, 'refusals-keys')

  await openPlace(window, 'Activity', 'Refused')
  await expect(window.getByRole('row', { name: id })).toBeVisible()
  await savePicture(window, 'refusals-requests')
})
