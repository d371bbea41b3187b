// What once told a person something that was not so, or led to the wrong place.
import type { Page } from '@playwright/test'
import { startFakeProvider } from '../test/fake-provider.ts'
import { startFakeVendor } from '../test/fake-vendor.ts'
import { expect, test } from './fixtures.ts'
import { savePicture } from './pictures.ts'

const key = 'sk-right-0123456789'

/** A provider with two models and a router for them, beside the demo. */
async function addProvider(window: Page, url: string): Promise<{ routerId: string }> {
  return await window.evaluate(
    async ([baseUrl, apiKey]) => {
      const input = { id: 'team', type: 'openai-compatible', baseUrl, privateNetwork: true, apiKey }
      await modelport.call('providers:add', { ...input, options: {} })
      for (const id of ['team:small', 'team:large'])
        await modelport.call('models:save', { id, inputUsdPerMtok: 1, outputUsdPerMtok: 2 })
      const answer = await modelport.call('routers:create', {
        name: 'Web shop',
        strategy: 'priority',
        models: ['team:small', 'team:large'],
      })
      if (!answer.ok) throw new Error(answer.error.message)
      return { routerId: answer.value.id }
    },
    [url, key] as const,
  )
}

const onEnd: (() => Promise<void>)[] = []

test.afterEach(async () => {
  for (const end of onEnd.splice(0)) await end()
})

async function go(window: Page, page: string): Promise<void> {
  await window.evaluate((hash) => void (location.hash = hash), page)
}

async function ask(window: Page, text: string): Promise<void> {
  await window.getByRole('textbox', { name: 'Message' }).fill(text)
  await window.getByRole('button', { name: 'Send' }).click()
}

test('Home and the chat say what is so, and the demo is never the default beside another router', async ({
  openApp,
}) => {
  const models = { small: { reasoning: 'A greeting.' }, large: {} }
  const provider = await startFakeProvider({ models, apiKey: key, tls: false })
  onEnd.push(() => provider.close())
  const { window } = await openApp('/home')
  const setup = window.getByRole('listitem').filter({ hasText: 'Add a provider' })

  // The demo and its router tick nothing.
  await expect(setup.getByRole('link', { name: 'Add provider' })).toBeVisible()
  await expect(window.getByText('0 of 5 done')).toBeVisible()

  await addProvider(window, `${provider.url}/v1`)
  await expect(window.getByText('2 of 5 done')).toBeVisible()

  await go(window, '/routers/new')
  const available = window.getByRole('list', { name: 'Available models' }).getByRole('listitem')
  await expect(available).toHaveText([/team:/, /team:/, /local:smollm2/])

  await go(window, '/connect')
  await expect(window.getByRole('combobox', { name: 'Router' })).toContainText('Web shop')
  await go(window, '/chat')
  await expect(window.getByRole('combobox', { name: 'Router' })).toContainText('Web shop')
  await ask(window, 'Hello')
  await expect(window.getByRole('list', { name: 'Answer details' })).toContainText('team:small')
  // What the model thought is folded.
  const answer = window.getByRole('article', { name: 'Answer' })
  await expect(answer).not.toContainText('A greeting.')
  await answer.getByText('Reasoning').click()
  await expect(answer).toContainText('A greeting.')
  await savePicture(window, 'reasoning')
  // Charts do not open by themselves.
  await expect(window.getByRole('button', { name: 'Charts' })).toBeVisible()
  await expect(window.getByRole('complementary', { name: /^Charts of/ })).toHaveCount(0)

  await go(window, '/home')
  await expect(window.getByText(/^All good/)).toBeVisible()
  provider.setApiKey('another key')
  await window.evaluate(async () => {
    const [routers, conversations] = await Promise.all([
      modelport.call('routers:list', undefined),
      modelport.call('conversations:list', undefined),
    ])
    if (!routers.ok || !conversations.ok) throw new Error('no lists')
    const routerId = routers.value.find(({ name }) => name === 'Web shop')?.id ?? ''
    await modelport.call('chat:send', { conversationId: null, routerId, agent: null, text: 'Hi' })
  })
  const points = window.getByRole('listitem').filter({ hasText: 'team rejects its key.' })
  await expect(points).toBeVisible()
  await expect(window.getByText(/^All good/)).toHaveCount(0)
  await expect(window.getByText('1 of 2 requests failed in the last 24 hours.')).toBeVisible()
  // The page says it, so no notice covers it.
  await expect(window.getByRole('region', { name: 'Alarms' }).getByRole('button')).toHaveCount(0)

  await go(window, '/chat')
  const alarm = window.getByRole('region', { name: 'Alarms' }).getByRole('paragraph')
  await expect(alarm).toBeVisible()
  const [notice, send] = await Promise.all([
    alarm.boundingBox(),
    window.getByRole('textbox', { name: 'Message' }).boundingBox(),
  ])
  expect((notice?.y ?? 0) + (notice?.height ?? 0)).toBeLessThan(send?.y ?? 0)
  await window.getByRole('button', { name: /^Hi / }).click()
  const failed = window.getByRole('article', { name: 'Answer' })
  await expect(failed).toContainText(/could answer\. team:small, team:large: /)
  await failed.getByRole('button', { name: 'Replace key of team' }).click()
  await expect(window.getByRole('dialog', { name: 'Replace key for team' })).toBeVisible()
})

test('a router for a new provider opens a new conversation on it, beside the open one', async ({
  launchApp,
  dataDir,
}) => {
  const provider = await startFakeProvider({
    models: { small: {}, large: {} },
    apiKey: key,
    tls: false,
  })
  const openai = { folder: dataDir, apiKey: key, models: { 'gpt-5-mini': {} } }
  const vendor = await startFakeVendor('api.openai.com', openai)
  onEnd.push(
    () => provider.close(),
    () => vendor.close(),
  )
  const { window } = await launchApp({ env: vendor.env })
  await addProvider(window, `${provider.url}/v1`)
  await expect(window.getByRole('combobox', { name: 'Router' })).toContainText('Web shop')
  await ask(window, 'Hello')
  await expect(window.getByRole('list', { name: 'Answer details' })).toContainText('team:small')

  await go(window, '/providers?add=openai')
  await window.getByLabel(/^Key/).fill(key)
  await window.getByRole('button', { name: 'Test and add' }).click()
  await window.getByRole('button', { name: /^Create router “Balanced”/ }).click()

  await expect(window.getByRole('heading', { level: 1, name: 'New conversation' })).toBeVisible()
  await expect(window.getByRole('combobox', { name: 'Router' })).toContainText('Balanced')
})
