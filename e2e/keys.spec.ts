/** A key from its creation in the window to a request over HTTPS and its revocation. */
import { readFile } from 'node:fs/promises'
import { Agent, fetch } from 'undici'
import { expect, test } from './fixtures.ts'

test('a copied key works over HTTPS with the displayed CA, and gets 401 once revoked', async ({
  launchApp,
}) => {
  test.setTimeout(120_000)
  const { app, window } = await launchApp()
  // Any free port: another Modelport may be running on this computer.
  const endpoint = await window.evaluate(async () => {
    const answer = await modelport.call('endpoint:listen', { port: 0 })
    return answer.ok && answer.value.status === 'listening' ? answer.value : null
  })
  const routers = await window.evaluate(() => modelport.call('routers:list', undefined))
  const routerId = routers.ok ? routers.value[0]?.id : undefined

  await window.getByRole('button', { name: 'Profile menu' }).click()
  await window.getByRole('menuitem', { name: 'API Keys' }).click()
  await window.getByRole('button', { name: 'Create key' }).first().click()
  await window.getByRole('textbox', { name: 'Name' }).fill('Laptop script')
  await window.getByRole('radio', { name: /^Stag/ }).click()
  await window.getByRole('checkbox', { name: 'Explain every answer' }).check()
  await window.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await window.getByRole('button', { name: 'Copy key' }).click()
  const key = await app.evaluate(({ clipboard }) => clipboard.readText())
  await window.getByRole('button', { name: 'Copy with key curl: Set the key' }).click()
  const setKey = await app.evaluate(({ clipboard }) => clipboard.readText())
  expect(setKey).toBe(`export MODELPORT_API_KEY=${key}`)
  await window.getByRole('button', { name: 'I have copied it' }).click()

  expect(key).toMatch(/^mp_[0-9A-Za-z]{36}$/)
  await expect(window.getByText(key)).toHaveCount(0)
  const ca = await readFile(endpoint?.caFile ?? '', 'utf8')
  const call = () =>
    fetch(`${endpoint?.url}/api/router/${routerId}/chat/completions`, {
      method: 'POST',
      dispatcher: new Agent({ connect: { ca } }),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], max_tokens: 8 }),
    })
  const served = await call()
  expect(served.status).toBe(200)
  expect(await served.json()).toMatchObject({
    _meta: { routerDecision: 'priority', decision: { attempts: [{ outcome: 'answered' }] } },
  })

  await window.getByRole('button', { name: 'Revoke Laptop script' }).click()
  await window.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(window.getByText('Revoked')).toBeVisible()
  expect((await call()).status).toBe(401)
})
