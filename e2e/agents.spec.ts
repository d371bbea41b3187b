/** An agent from an empty editor to an answer in the chat, with the keyboard only. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { savePicture } from './pictures.ts'
import { openPlace } from './places.ts'

/** The local model is small and this computer may be busy. */
const answered = { timeout: 90_000 }

/** More tab stops than any page has focusable elements. */
const mostStops = 120

/** Presses Tab, or Shift+Tab, until the element has the focus. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  const isThere = () => target.evaluate((element) => element === document.activeElement)
  for (let stop = 0; stop < mostStops; stop += 1) {
    if (await isThere()) return
    await page.keyboard.press(key)
  }
  throw new Error(`${mostStops} stops do not lead to ${String(target)}`)
}

async function press(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await tabTo(page, target, key)
  await page.keyboard.press('Enter')
}

/** Replaces the content of a field. */
async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
}

const sourceOf = (window: Page) => window.getByRole('textbox', { name: 'Source' })

/** The line of the text with this in it. */
const lineOf = (window: Page, text: string) =>
  sourceOf(window).locator('.cm-line').filter({ hasText: text })

/** The editor ignores keys for so long after suggestions appear, so that a late popup takes no Enter. */
const suggestionsRestMs = 75

async function accept(window: Page, name: string): Promise<void> {
  const option = window.getByRole('option', { name }).first()
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await window.waitForTimeout(2 * suggestionsRestMs)
  await window.keyboard.press('Enter')
}

/** Replaces the line of the caret, except its indentation. */
async function retypeLine(window: Page, text: string): Promise<void> {
  await window.keyboard.press('End')
  await window.keyboard.press('Shift+Home')
  await window.keyboard.type(text)
}

test('an agent is built, run, inspected and called from the chat by keyboard alone', async ({
  openApp,
}) => {
  test.setTimeout(300_000)
  const { window } = await openApp()
  const box = (name: string) => window.getByRole('textbox', { name, exact: true })

  await press(window, window.getByRole('link', { name: 'Routers' }))
  await press(window, window.getByRole('link', { name: 'Agents' }))
  await press(window, window.getByRole('link', { name: 'Create agent' }))
  const source = sourceOf(window)
  const keyboard = window.keyboard

  // From an empty text, with suggestions.
  await type(window, source, 'na')
  await accept(window, 'name')
  await keyboard.type('Two Steps\nste')
  await accept(window, 'steps')
  await accept(window, 'New step: Prompt')
  await expect(lineOf(window, 'name: Two Steps')).toContainText('Use 1 to 64 lower-case letters')

  // The badge leads to the error.
  await keyboard.press('Escape')
  await press(window, window.getByRole('button', { name: '1 error' }), 'Shift+Tab')
  await expect(source).toBeFocused()
  await retypeLine(window, 'name: two-steps')
  await expect(window.getByText('No problems')).toBeVisible()

  // A second step from a template, after the first.
  await keyboard.press('Escape')
  await press(window, window.getByRole('button', { name: 'Insert step' }), 'Shift+Tab')
  await window.getByRole('menuitem', { name: 'Prompt' }).waitFor()
  await keyboard.press('Home')
  await keyboard.press('Enter')
  await expect(source).toBeFocused()
  await keyboard.press('Control+End')
  await retypeLine(window, "user: 'Say it shorter: {{ steps.anwser.output }}'")
  await expect(lineOf(window, 'anwser')).toContainText(/there is no step "anwser" here/)
  await retypeLine(window, "user: 'Say it shorter: {{ steps.prompt.output }}'")
  await keyboard.type('\nmax_t')
  await accept(window, 'max_tokens')
  await keyboard.type('12')

  // The graph marks the step at the caret. Enter selects the text of the chosen one.
  const nodes = window.getByRole('listbox', { name: 'Steps as a graph' })
  const second = nodes.getByRole('option', { name: 'prompt_2, prompt' })
  await expect(second).toHaveAttribute('aria-selected', 'true')
  await expect(window.getByText('No problems')).toBeVisible()
  await keyboard.press('Escape')
  await tabTo(window, second)
  await keyboard.press('ArrowUp')
  await expect(nodes.getByRole('option', { name: 'prompt, prompt' })).toBeFocused()
  await keyboard.press('Enter')
  await expect(source).toBeFocused()
  await keyboard.press('ArrowRight')
  await keyboard.type('\nmax_t')
  await accept(window, 'max_tokens')
  await keyboard.type('16')
  await expect(window.getByText('No problems')).toBeVisible()
  await savePicture(window, 'agent-edit')
  await keyboard.press('Control+S')
  await expect(window.getByText('version 1')).toBeVisible()

  await tabTo(window, window.getByRole('tab', { name: 'Editor' }))
  for (const key of ['ArrowRight', 'Enter']) await window.keyboard.press(key)
  await type(window, box('Input'), 'What is a lighthouse?')
  await window.keyboard.press('Control+Enter')
  await expect(window.getByText('Done', { exact: true })).toBeVisible(answered)
  const bars = window.getByRole('table', { name: 'Timeline' }).getByRole('button')
  await expect(bars).toHaveCount(2)
  await press(window, bars.last())
  const asked = window.getByRole('region', { name: 'Request of prompt_2' })
  await expect(asked.getByRole('region', { name: 'Input, whole text' })).toContainText(
    'Say it shorter: ',
  )
  await expect(asked.getByRole('region', { name: 'Output, whole text' })).toHaveText(/\w+/)
  await expect(asked).toContainText('local:smollm2-135m-instruct')
  await expect(window.getByLabel('_meta')).toContainText(/steps_executed\s*2/)
  await savePicture(window, 'agent-run')

  await press(window, window.getByRole('link', { name: 'Chat' }))
  await tabTo(window, window.getByRole('combobox', { name: 'Agent' }))
  await window.keyboard.press('Enter')
  const option = window.getByRole('option', { name: 'two-steps' })
  // The list is shown a moment before it takes keys.
  await expect(async () => {
    await window.keyboard.press('End')
    await expect(option).toBeFocused({ timeout: 500 })
  }).toPass()
  await window.keyboard.press('Enter')
  await expect(window.getByRole('combobox', { name: 'Agent' })).toContainText('two-steps')
  await type(window, box('Message'), 'What is a harbour?')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('list', { name: 'Answer details' })).toHaveText(
    /agent:two-steps.*2 steps.*\$0.*s.*local:smollm2-135m-instruct.*[0-9a-f-]{36}/,
    answered,
  )

  await press(window, window.getByRole('link', { name: 'Routers' }))
  await press(window, window.getByRole('link', { name: 'Agents' }))
  const row = window.getByRole('table', { name: 'Agents' }).getByRole('row', { name: /two-steps/ })
  await expect(row).toContainText(/2.*100 %/)
  await savePicture(window, 'agents')
})

const imported = `# From a colleague.
name: imported
description: One step.
steps:
  - id: answer
    type: prompt
    user: "{{ input }}"
`

test('a file becomes an agent, whose versions are compared, restored and exported', async ({
  openApp,
  dataDir,
}) => {
  const { app, window } = await openApp()
  const source = sourceOf(window)
  const textOf = async () => (await source.locator('.cm-line').allTextContents()).join('\n')
  await openPlace(window, 'Routers', 'Agents')
  await expect(window.getByRole('list', { name: 'Examples' }).getByRole('listitem')).toHaveCount(6)

  await window
    .getByLabel('Agent file')
    .setInputFiles({ name: 'a.yaml', mimeType: 'application/yaml', buffer: Buffer.from(imported) })
  await window.getByRole('button', { name: 'Create agent' }).click()
  await expect(window.getByText('version 1')).toBeVisible()
  await window.getByRole('option', { name: 'answer, prompt' }).click()
  const step = '- id: answer\n    type: prompt\n    user: "{{ input }}"'
  expect(await window.evaluate(() => getSelection()?.toString())).toBe(step)
  await window.keyboard.press('ArrowRight')
  await retypeLine(window, 'user: "Answer briefly: {{ input }}"')
  await window.getByRole('button', { name: 'Save' }).click()
  await expect(window.getByText('version 2')).toBeVisible()

  await window.getByRole('tab', { name: 'Versions' }).click()
  const difference = window.getByRole('region', { name: 'Difference' })
  await expect(difference.getByRole('row', { name: /Answer briefly/ })).toContainText(
    '"{{ input }}"',
  )
  await window.getByRole('button', { name: 'Revert to version 1' }).click()
  await expect(window.getByText('version 3', { exact: true })).toBeVisible()
  await window.getByRole('tab', { name: 'Editor' }).click()
  await expect.poll(textOf).toBe(imported)

  const file = join(dataDir, 'exported.yaml')
  await app.evaluate(({ session }, path) => {
    session.defaultSession.once('will-download', (_event, item) => item.setSavePath(path))
  }, file)
  await window.getByRole('button', { name: 'Actions for imported' }).click()
  await window.getByRole('menuitem', { name: 'Export' }).click()
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toBe(imported)

  await window.getByRole('button', { name: 'Actions for imported' }).click()
  await window.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect.poll(textOf).toBe(imported.replace('name: imported', 'name: imported-copy'))
})
