/** The states of the Agents page that `window-look.ts` looks at. */
import type { Page } from '@playwright/test'
import type { View } from './view.ts'

const newsletter = '/agents/newsletter'

export const agentViews: readonly View[] = [
  { name: 'agents-empty', scene: 'first', path: '/agents' },
  { name: 'agents', scene: 'used', path: '/agents' },
  { name: 'agents-narrow', scene: 'used', path: '/agents', width: 900 },
  { name: 'agent-example', scene: 'first', path: '/agents', width: 900, act: beginWithExample },
  { name: 'agent-form', scene: 'used', path: newsletter, act: openStep },
  { name: 'agent-nested', scene: 'used', path: newsletter, width: 960, act: openNested },
  { name: 'agent-source', scene: 'used', path: newsletter, act: breakSource },
  { name: 'agent-test', scene: 'used', path: newsletter, act: runTest },
  { name: 'agent-test-failed', scene: 'used', path: newsletter, act: failTest },
  { name: 'agent-runs', scene: 'used', path: newsletter, act: openTrace },
  { name: 'agent-versions', scene: 'used', path: newsletter, act: openVersions },
  { name: 'agent-new', scene: 'used', path: '/new-agent', act: openAddMenu },
  { name: 'agent-chat', scene: 'used', path: '/chat', act: chatWithAgent },
]

async function beginWithExample(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Begin with it: draft-critique-revise' }).click()
  await page.getByRole('option', { name: 'critique, prompt' }).click()
  await page.getByText('Passes at the most').waitFor()
}

async function openStep(page: Page): Promise<void> {
  await page.getByRole('option', { name: 'facts, prompt' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Id' }).last().waitFor()
  await page.waitForTimeout(300)
}

async function openNested(page: Page): Promise<void> {
  await page.getByRole('option', { name: 'shorten, prompt' }).click()
  await page.getByRole('textbox', { name: 'Id' }).last().fill('Not Good')
  await page.keyboard.press('Enter')
  await page.getByText('1 fault').first().waitFor()
}

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name }).click()
}

async function breakSource(page: Page): Promise<void> {
  await openTab(page, 'Source')
  const source = page.getByRole('textbox', { name: 'Source' })
  await source.fill((await source.inputValue()).replace('type: map', 'type: mapp'))
  await page.getByRole('list', { name: 'Faults' }).waitFor()
}

async function runTest(page: Page): Promise<void> {
  await openTab(page, 'Test run')
  await page.getByRole('textbox', { name: 'Input' }).fill('Herons are back on the river.')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Done.').waitFor()
  await page.getByRole('button', { name: /^headline: / }).click()
}

async function failTest(page: Page): Promise<void> {
  await openTab(page, 'Test run')
  await page.getByRole('textbox', { name: 'Input' }).fill('fail')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText('It did not come to its end.').waitFor()
  await page.getByRole('button', { name: /failed/ }).click()
}

async function openTrace(page: Page): Promise<void> {
  await openTab(page, 'Runs')
  await page
    .getByRole('button', { name: /^Trace of/ })
    .first()
    .click()
  await page
    .getByRole('button', { name: /^headline: / })
    .first()
    .click()
}

async function openVersions(page: Page): Promise<void> {
  await openTab(page, 'Versions')
  await page.getByRole('region', { name: 'Difference' }).waitFor()
}

async function openAddMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add step' }).click()
  await page.getByRole('menuitem', { name: 'Prompt' }).waitFor()
}

async function chatWithAgent(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Agent' }).click()
  await page.getByRole('option', { name: /^newsletter/ }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('Herons are back.')
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Answer details' }).waitFor()
}
