// What goes wrong on an ordinary day, and how many clicks it takes to recover.
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { startFakeProvider } from '../test/fake-provider.ts'
import { expect, test } from './fixtures.ts'
import { clicksBy, countInput, use, ways } from './pointer-count.ts'

for (const way of ways)
  test(`a port that is taken takes one click, and a provider that is down at most one, by ${way}`, async ({
    openApp,
  }) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    // Checked boundary: it listens on a port.
    const { port } = other.address() as AddressInfo
    const upstream = await startFakeProvider({
      tls: false,
      apiKey: 'sk-right',
      models: { good: {} },
    })
    try {
      const { window } = await openApp()
      await setUp(window, upstream.url)

      await window.evaluate((taken) => modelport.call('endpoint:listen', { port: taken }), port)
      await expect(window.getByText(`Another program uses port ${port}.`)).toBeVisible()
      const portCounts = await countInput(window)
      await use(window.getByRole('button', { name: /^Use port \d+$/ }), way)
      await expect(window.getByLabel(/^Copy endpoint address/)).toBeVisible()
      expect(await portCounts()).toMatchObject(clicksBy(way, 1))

      await window.goto('app://modelport/#/chat')
      const message = window.getByRole('textbox', { name: 'Message' })
      await message.fill('Hello')
      const counts = await countInput(window)
      await message.press('Enter')
      // Another model answers without a click.
      await expect(window.getByRole('list', { name: 'Answer details' })).toContainText(
        'second:good',
      )
      expect((await counts()).clicks).toBe(0)
      await use(window.getByRole('button', { name: 'Go to first' }), way)
      await expect(window.getByRole('link', { name: 'Providers', exact: true })).toHaveAttribute(
        'aria-current',
        'page',
      )
      await expect(window.getByText(/key was rejected|rejected the key/i).first()).toBeVisible()
      expect(await counts()).toMatchObject(clicksBy(way, 1))
    } finally {
      other.close()
      await upstream.close()
    }
  })

/** Two providers, the first with a wrong key, and a router that prefers it. */
async function setUp(window: Page, baseUrl: string): Promise<void> {
  await window.evaluate(async (url) => {
    for (const [id, apiKey] of [
      ['first', 'sk-wrong'],
      ['second', 'sk-right'],
    ] as const) {
      await modelport.call('providers:add', { id, type: 'openai-compatible', baseUrl: url, apiKey })
      const prices = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 8_000 }
      await modelport.call('models:save', { id: `${id}:good`, ...prices })
    }
    const models = ['first:good', 'second:good']
    await modelport.call('routers:create', { name: 'Both', strategy: 'priority', models })
    for (const router of await routers()) {
      if (router.name !== 'Both') await modelport.call('routers:remove', { id: router.id })
    }

    async function routers() {
      const answer = await modelport.call('routers:list', undefined)
      return answer.ok ? answer.value : []
    }
  }, baseUrl)
}
