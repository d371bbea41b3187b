// Shadow samples: turned on in the router's form; an answer in the chat is then compared, and the router shows it.
import type { Page } from '@playwright/test'
import { startFakeProvider } from '../test/fake-provider.ts'
import { expect, test } from './fixtures.ts'
import { savePicture } from './pictures.ts'
import { openPlace } from './places.ts'

/** A provider with three models, and the router Everyday of the first two. */
async function addRouter(window: Page, baseUrl: string): Promise<void> {
  await window.evaluate(async (url) => {
    await modelport.call('providers:add', { id: 'team', type: 'openai-compatible', baseUrl: url })
    for (const id of ['team:gpt-a', 'team:llama-b', 'team:claude-judge']) {
      const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 100_000 }
      await modelport.call('models:save', { id, ...price })
    }
    const models = ['team:gpt-a', 'team:llama-b']
    await modelport.call('routers:create', { name: 'Everyday', strategy: 'priority', models })
  }, baseUrl)
}

test('a router compares its answers with a second model, which its router shows', async ({
  openApp,
}) => {
  const verdict = { first_acceptable: true, second_acceptable: true, better: 'tie' }
  const text = JSON.stringify({ kind: 'everyday_science', ...verdict })
  const models = { 'gpt-a': { text: 'The moon.' }, 'llama-b': {}, 'claude-judge': { text } }
  const upstream = await startFakeProvider({ tls: false, models })
  const { window } = await openApp()
  await addRouter(window, upstream.url)

  await window.getByRole('link', { name: 'Routers' }).click()
  await window.getByRole('link', { name: 'Everyday', exact: true }).click()
  const form = window.getByRole('form', { name: 'Router' })
  await window.getByRole('link', { name: 'Strategy' }).click()
  await form.getByText('Advanced', { exact: true }).click()
  await form.getByRole('checkbox', { name: 'Compare answers with a second model' }).check()
  await expect(form.getByText('sent to a second model of this router')).toBeVisible()
  await form.getByLabel('Share of requests (%)').fill('100')
  await window.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(form.getByText('Choose a judge', { exact: true })).toBeVisible()
  await form.getByRole('combobox', { name: 'Judge' }).click()
  await expect(window.getByRole('option', { name: /^team:gpt-a/ })).toHaveCount(0)
  await window.getByRole('option', { name: /^team:claude-judge/ }).click()
  await form.getByRole('group', { name: 'Shadow samples' }).scrollIntoViewIfNeeded()
  await savePicture(window, 'shadow-samples-form')
  await window.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(window.getByText('Saved. Applies')).toBeVisible()

  await window.getByRole('link', { name: 'Chat' }).click()
  await window.getByRole('combobox', { name: 'Router' }).click()
  await window.getByRole('option', { name: /^Everyday/ }).click()
  await window.getByRole('textbox', { name: 'Message' }).fill('Why do tides follow the moon?')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('article', { name: 'Answer' })).toContainText('The moon.')

  await openPlace(window, 'Routers')
  await window.getByRole('link', { name: 'Everyday', exact: true }).click()
  await window.getByRole('link', { name: 'Tune' }).click()
  await window.getByRole('link', { name: 'Shadow samples' }).click()
  await expect(window.getByRole('heading', { name: 'Shadow samples of Everyday' })).toBeVisible()
  const table = window.getByRole('region', { name: 'Quality of each model' })
  await expect(table).toContainText('team:llama-b')
  await savePicture(window, 'shadow-samples')
  await window.getByRole('button', { name: 'Delete samples' }).click()
  await window.getByRole('alertdialog').getByRole('button', { name: 'Delete samples' }).click()
  await expect(window.getByRole('table', { name: 'Runs' })).toContainText('Sampling')
  await window
    .getByRole('navigation', { name: 'Parts of the router' })
    .getByRole('link', { name: 'Activity' })
    .click()
  const requests = window.getByRole('grid', { name: 'Requests' })
  await expect(requests.getByRole('row', { name: /Shadow sample/ })).toHaveCount(5)
  await expect(requests.getByRole('row', { name: /Chat/ })).toHaveCount(1)
  await upstream.close()
})
