/** A key from its creation in the window to a request over HTTPS, its rotation and its revocation. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { Agent, fetch } from 'undici'
import { expect, test } from './fixtures.ts'

interface Caller {
  /** The status of a call with this key. */
  call: (key: string) => Promise<Response>
}

type Response = Awaited<ReturnType<typeof fetch>>

async function prepareCaller(window: Page): Promise<Caller> {
  // Any free port: another Modelport may be running on this computer.
  const endpoint = await window.evaluate(async () => {
    const answer = await modelport.call('endpoint:listen', { port: 0 })
    return answer.ok && answer.value.status === 'listening' ? answer.value : null
  })
  const routers = await window.evaluate(() => modelport.call('routers:list', undefined))
  const routerId = routers.ok ? routers.value[0]?.id : undefined
  const ca = await readFile(endpoint?.caFile ?? '', 'utf8')
  return {
    call: (key) =>
      fetch(`${endpoint?.url}/api/router/${routerId}/chat/completions`, {
        method: 'POST',
        dispatcher: new Agent({ connect: { ca } }),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], max_tokens: 8 }),
      }),
  }
}

/** Clicks, and counts how often. */
function clickCounter() {
  let clicks = 0
  return {
    async click(target: Locator) {
      clicks += 1
      await target.click()
    },
    clicks: () => clicks,
  }
}

test('a key is created in three clicks, works over HTTPS, is rotated, and is revoked in two clicks', async ({
  openApp,
}) => {
  const { app, window } = await openApp()
  const { call } = await prepareCaller(window)
  const copied = () => app.evaluate(({ clipboard }) => clipboard.readText())
  const dialog = window.getByRole('dialog')

  const creating = clickCounter()
  await creating.click(window.getByRole('link', { name: 'Connect' }))
  await creating.click(window.getByRole('button', { name: 'Create key' }).first())
  await expect(window.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await window.keyboard.type('Laptop script')
  await window.keyboard.press('Enter')
  await expect(dialog).toHaveAccessibleDescription(/out of version control/)
  await creating.click(dialog.getByRole('button', { name: 'Copy and close' }))
  await expect(dialog).toBeHidden()
  expect(creating.clicks()).toBe(3)
  const key = await copied()
  expect(key).toMatch(/^mp_[0-9A-Za-z]{36}$/)
  await expect(window.getByText(key)).toHaveCount(0)
  expect((await call(key)).status).toBe(200)

  await window.getByRole('button', { name: 'Rotate Laptop script' }).click()
  await dialog.getByRole('radio', { name: 'Not at all' }).check()
  await dialog.getByRole('button', { name: 'Rotate key' }).click()
  await dialog.getByRole('button', { name: 'Copy and close' }).click()
  await expect(dialog).toBeHidden()
  const successor = await copied()
  expect(successor).not.toBe(key)
  expect([(await call(key)).status, (await call(successor)).status]).toEqual([401, 200])

  const revoking = clickCounter()
  await revoking.click(window.getByRole('button', { name: 'Revoke Laptop script' }))
  await revoking.click(window.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }))
  await expect(window.getByText('Revoked Laptop script')).toBeVisible()
  expect((await call(successor)).status).toBe(401)
  expect(revoking.clicks()).toBe(2)
})

test('a key with options is created and revoked by keyboard alone', async ({ openApp }) => {
  const { app, window } = await openApp()
  const { call } = await prepareCaller(window)
  const copied = () => app.evaluate(({ clipboard }) => clipboard.readText())
  const press = async (target: Locator, key = 'Enter') => {
    await target.focus()
    await window.keyboard.press(key)
  }

  await press(window.getByRole('button', { name: 'Profile menu' }))
  await press(window.getByRole('menuitem', { name: 'Settings' }))
  await press(window.getByRole('link', { name: 'API Keys', exact: true }))
  await expect(window.getByRole('region', { name: 'API keys of your programs' })).toBeFocused()
  await press(window.getByRole('button', { name: 'Create key' }).first())
  await expect(window.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await window.keyboard.type('Assistant')
  await press(window.getByRole('radio', { name: /^Stag/ }), 'Space')
  await press(window.locator('summary'))
  await window.getByLabel('Tag (optional)').focus()
  await window.keyboard.type('web-shop')
  await press(window.getByRole('checkbox', { name: 'Explain every answer' }), 'Space')
  await press(window.getByRole('dialog').getByRole('button', { name: 'Create key' }))
  // The dialog with the key starts at its only button that matters.
  await expect(window.getByRole('button', { name: 'Copy and close' })).toBeFocused()
  await press(
    window.getByRole('button', { name: 'Copy with key @modelport/sdk: Set the environment' }),
  )
  await expect.poll(copied).toMatch(/^export MODELPORT_API_KEY=mp_/)
  await window.keyboard.press('Escape')
  await expect(window.getByText('The key cannot be shown again.')).toBeVisible()
  await press(window.getByRole('button', { name: 'Copy and close' }))
  await expect(window.getByRole('dialog')).toBeHidden()

  const key = await copied()
  expect(await (await call(key)).json()).toMatchObject({
    _meta: { routerDecision: 'priority', decision: { attempts: [{ outcome: 'answered' }] } },
  })
  await expect(window.getByText('tag web-shop')).toBeVisible()

  await press(window.getByRole('button', { name: 'Revoke Assistant' }))
  await press(window.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }))
  await expect(window.getByText('Revoked Assistant')).toBeVisible()
  expect((await call(key)).status).toBe(401)
})
