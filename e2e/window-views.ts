/** The states of the window that `window-look.ts` looks at. */
import type { Page } from '@playwright/test'
import { agentViews } from './agent-views.ts'
import type { View } from './view.ts'

const shopPath = '/routers/router_Jk2mN8pR5sT7vW1x'

export const views: readonly View[] = [
  { name: 'chat-no-router', scene: 'empty', path: '/chat' },
  { name: 'chat-new', scene: 'used', path: '/chat', act: (page) => chooseRouter(page, 'Local') },
  { name: 'chat-no-weights', scene: 'first', path: '/chat' },
  { name: 'chat', scene: 'used', path: '/chat', act: openConversation },
  { name: 'chat-picker', scene: 'used', path: '/chat', act: openPicker },
  { name: 'chat-narrow', scene: 'used', path: '/chat', width: 960, act: openConversation },
  { name: 'chat-streaming', scene: 'used', path: '/chat', act: streamAnswer },
  { name: 'chat-two-points', scene: 'used', path: '/chat', act: sendTwice },
  { name: 'chat-tables', scene: 'used', path: '/chat', act: showTables },
  { name: 'chat-busy', scene: 'busy', path: '/chat', act: openConversation },
  { name: 'chat-why', scene: 'used', path: '/chat', act: openWhy },
  { name: 'chat-why-narrow', scene: 'used', path: '/chat', width: 900, act: openWhy },
  { name: 'chat-thumb', scene: 'used', path: '/chat', width: 900, act: giveThumb },
  { name: 'chat-models', scene: 'used', path: '/chat', act: openModels },
  { name: 'chat-compare', scene: 'used', path: '/chat', width: 1600, act: compare },
  { name: 'chat-compare-narrow', scene: 'used', path: '/chat', width: 900, act: compare },
  { name: 'chat-again', scene: 'used', path: '/chat', act: answerAgain },
  { name: 'routers-empty', scene: 'empty', path: '/routers' },
  { name: 'routers', scene: 'used', path: '/routers' },
  { name: 'router-new', scene: 'used', path: '/routers/new', act: setPrice },
  { name: 'router', scene: 'used', path: shopPath },
  { name: 'router-choosing', scene: 'used', path: shopPath, act: openChoosing },
  { name: 'router-cascade-narrow', scene: 'used', path: shopPath, width: 900, act: openCascade },
  { name: 'router-balanced', scene: 'used', path: shopPath, act: chooseBalanced },
  { name: 'router-requests', scene: 'used', path: shopPath, act: openRequests },
  { name: 'router-requests-narrow', scene: 'used', path: shopPath, width: 900, act: openRequests },
  { name: 'router-replay', scene: 'used', path: shopPath, act: openReplay },
  { name: 'router-replay-narrow', scene: 'used', path: shopPath, width: 900, act: openReplay },
  { name: 'router-suggested', scene: 'used', path: shopPath, act: useSuggested },
  ...agentViews,
  { name: 'keys-empty', scene: 'empty', path: '/keys' },
  { name: 'keys', scene: 'used', path: '/keys' },
  { name: 'key-form', scene: 'used', path: '/keys', act: openKeyForm },
  { name: 'key-shown', scene: 'used', path: '/keys', act: createKey },
  { name: 'key-revoke', scene: 'used', path: '/keys', act: revokeKey },
  { name: 'providers-empty', scene: 'empty', path: '/providers' },
  { name: 'providers', scene: 'used', path: '/providers', act: testProvider },
  { name: 'provider-form', scene: 'used', path: '/providers', act: openProviderForm },
  { name: 'provider-options', scene: 'used', path: '/providers', act: openProviderOptions },
  { name: 'providers-troubled', scene: 'troubled', path: '/providers' },
  { name: 'settings', scene: 'used', path: '/settings' },
  { name: 'settings-catalog', scene: 'used', path: '/settings', act: checkCatalog },
  {
    name: 'settings-catalog-narrow',
    scene: 'used',
    path: '/settings',
    width: 900,
    act: applyCatalog,
  },
  { name: 'settings-origins', scene: 'troubled', path: '/settings', act: allowOrigin },
  { name: 'settings-troubled', scene: 'troubled', path: '/settings', act: openProfileMenu },
]

async function checkCatalog(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Check for updates' })
  await button.focus()
  await page.keyboard.press('Enter')
  const table = page.getByRole('region', { name: 'What changes' })
  await table.waitFor()
  await table.scrollIntoViewIfNeeded()
}

async function applyCatalog(page: Page): Promise<void> {
  await checkCatalog(page)
  await page.getByRole('button', { name: 'Apply' }).press('Enter')
  await page.getByRole('button', { name: 'Back to bundled' }).waitFor()
}

async function openConversation(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^How a router decides/ }).click()
  await page.getByRole('article', { name: 'Answer' }).first().waitFor()
  await page.waitForTimeout(200)
  await page.getByRole('log').evaluate((log) => log.parentElement?.scrollTo({ top: 0 }))
}

async function openWhy(page: Page): Promise<void> {
  await openConversation(page)
  await page.getByRole('button', { name: 'Why this model?' }).first().click()
  await page.getByRole('region', { name: 'Candidates' }).waitFor()
}

async function giveThumb(page: Page): Promise<void> {
  await openConversation(page)
  await page.getByRole('button', { name: 'Bad answer' }).first().click()
  await page.getByText('Only routers with the strategy Adaptive').first().waitFor()
}

async function openModels(page: Page): Promise<void> {
  await chooseRouter(page, 'Web shop')
  await send(page, 'hello')
  await page.getByRole('button', { name: 'Another model' }).click()
  await page.getByRole('menuitem').first().waitFor()
}

/** Asks the last question again, in the menu's n-th way. */
async function askAgain(page: Page, way: number): Promise<void> {
  await openModels(page)
  await page.getByRole('menuitem', { name: 'openai:gpt-5' }).nth(way).click()
}

async function compare(page: Page): Promise<void> {
  await askAgain(page, 1)
  await page.getByRole('button', { name: 'This one is better' }).nth(1).waitFor()
}

async function answerAgain(page: Page): Promise<void> {
  await askAgain(page, 0)
  await page.getByText('1 other answer').click()
  await page.getByRole('button', { name: 'Keep this one instead' }).waitFor()
}

async function openRequests(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Requests' }).click()
  await page.getByRole('region', { name: 'Requests' }).waitFor()
}

async function openReplay(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'What if?' }).click()
  await page.getByRole('region', { name: 'Actual and expected' }).waitFor()
}

async function useSuggested(page: Page): Promise<void> {
  await openReplay(page)
  await page.getByRole('button', { name: 'Use this strategy' }).click()
}

async function chooseRouter(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Router' }).click()
  await page.getByRole('option', { name }).click()
}

async function openPicker(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Router' }).click()
  await page.getByRole('option', { name: 'Web shop' }).waitFor()
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.keyboard.press('Enter')
}

async function streamAnswer(page: Page): Promise<void> {
  await chooseRouter(page, 'Local')
  await send(page, 'slow words please')
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  await page.waitForTimeout(500)
}

async function sendTwice(page: Page): Promise<void> {
  await chooseRouter(page, 'Local')
  for (const count of [1, 2]) {
    await send(page, `message ${count}`)
    await page
      .getByRole('list', { name: 'Answer details' })
      .nth(count - 1)
      .waitFor()
    await page.waitForTimeout(300)
  }
  const points = await page
    .getByRole('figure')
    .evaluateAll((figures) => figures.map((figure) => figure.getAttribute('data-points')))
  if (points.join() !== '2,2,2,2') throw new Error(`expected two points each, got ${points.join()}`)
}

async function showTables(page: Page): Promise<void> {
  await openConversation(page)
  for (const name of ['Cost per answer', 'Decisions']) {
    const figure = page.getByRole('figure', { name })
    await figure.getByRole('button', { name: 'Show as table' }).click()
    await figure.getByRole('table').waitFor()
  }
}

async function setPrice(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill('Cheapest')
  await page.getByRole('button', { name: 'Add local:SmolLM2-135M-Instruct' }).click()
  await page.getByRole('button', { name: 'Add openai:gpt-5-mini' }).click()
  await page.getByRole('button', { name: 'Set price of team-server:qwen3-32b' }).click()
  await page.getByRole('button', { name: 'Save price and add' }).click()
  await page.getByRole('alert').first().waitFor()
}

async function openChoosing(page: Page): Promise<void> {
  await page.getByText('How it chooses').click()
  await page.getByRole('button', { name: 'Add a cheaper first attempt' }).click()
  await page.getByRole('combobox', { name: 'Use its answer if' }).click()
  await page.getByRole('option', { name: 'a second model agrees' }).click()
  await page.getByRole('textbox', { name: 'Keep prompts and answers' }).fill('7')
  await page.getByRole('textbox', { name: 'Only in these regions' }).fill('Sweden')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await showUnder(page, 'How it chooses')
}

async function openCascade(page: Page): Promise<void> {
  await openChoosing(page)
  await showUnder(page, 'Cheap models first')
}

async function chooseBalanced(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Balanced' }).check()
  await page.getByText('How it chooses').click()
  await showUnder(page, 'Strategy')
}

/** Scrolls until the text stands on top. */
async function showUnder(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).evaluate((element) => element.scrollIntoView())
}

async function openKeyForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('radio', { name: 'Chosen routers' }).check()
}

async function createKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create key' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Web shop tests')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'Copy key' }).waitFor()
}

async function revokeKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Revoke Notebook' }).click()
  await page.getByRole('alertdialog').waitFor()
}

async function testProvider(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Test openai' }).click()
  await page.getByText('Answered in').waitFor()
}

async function openProviderForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add provider' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add provider' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'OpenAI-compatible server' }).waitFor()
}

async function openProviderOptions(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add provider' }).first().click()
  await page.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'OpenAI-compatible server' }).click()
  await page.getByText('Options', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Extra headers' }).fill('X-Team: search')
}

async function allowOrigin(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Dismiss vscode-webview' }).click()
  await page.getByRole('button', { name: 'Allow this origin' }).click()
  await page.getByRole('button', { name: 'Remove https://notes.example.com' }).waitFor()
}

async function openProfileMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Profile menu' }).click()
  await page.getByRole('menuitem', { name: 'API Keys' }).waitFor()
}
