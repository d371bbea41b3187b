import type { Page } from '@playwright/test'

/** Adds the router `Only` with the model `fake:one` of a provider at this address, and chooses it in the chat. */
export async function addOnlyRouter(window: Page, { url }: { url: string }): Promise<void> {
  await window.evaluate(async (baseUrl) => {
    await modelport.call('providers:add', { id: 'fake', type: 'openai-compatible', baseUrl })
    const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 200_000 }
    await modelport.call('models:save', { id: 'fake:one', ...price, capabilities: [] })
    const models = ['fake:one']
    await modelport.call('routers:create', { name: 'Only', strategy: 'priority', models })
  }, url)
  await window.getByRole('combobox', { name: 'Router' }).click()
  await window.getByRole('option', { name: /^Only/ }).click()
}
