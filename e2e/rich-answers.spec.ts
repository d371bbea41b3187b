// Answers with diagrams, sources and reasoning; by mouse and by keyboard.
import type { Page } from '@playwright/test'
import { startFakeProvider } from '../test/fake-provider.ts'
import { examineThemes } from './examine.ts'
import { expect, test } from './fixtures.ts'
import { addOnlyRouter } from './only-router.ts'

async function ask(window: Page, text: string): Promise<void> {
  await window.getByRole('textbox', { name: 'Message' }).fill(text)
  await window.keyboard.press('Enter')
  await expect(window.getByRole('article', { name: 'Answer' }).last()).toHaveAttribute(
    'aria-busy',
    'false',
  )
}

const flow = `graph TD
  A[Question] --> B{Is it hard?}
  B -->|yes| C[Strong model]
  B -->|no| D[Cheap model]
  C --> E(Answer)
  D --> E`

test('a diagram is drawn on demand, and one that cannot be drawn says so', async ({
  launchApp,
}) => {
  const text = `Here it is:\n\n\`\`\`mermaid\n${flow}\n\`\`\`\n\n\`\`\`mermaid\ngantt\n title Plan\n\`\`\``
  const upstream = await startFakeProvider({ tls: false, models: { one: { text } } })
  const { window } = await launchApp()
  await addOnlyRouter(window, upstream)
  await ask(window, 'Draw how a router works.')
  const answer = window.getByRole('article', { name: 'Answer' })
  const image = answer.getByRole('img', { name: 'The diagram of this code' })

  await answer.getByRole('button', { name: 'Diagram' }).first().click()
  await expect(image).toHaveJSProperty('complete', true)
  expect(await image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(100)
  await expect(image).toHaveAttribute('src', /^blob:/)
  // By keyboard.
  await answer.getByRole('button', { name: 'Diagram' }).focus()
  await window.keyboard.press('Enter')
  await expect(answer.getByText('This diagram cannot be drawn.')).toBeVisible()
  await expect(answer.getByRole('region', { name: 'Code, mermaid' })).toContainText('gantt')
  await expect(window.getByText('Drawing…')).toHaveCount(0)
  await examineThemes(window, 'diagram')
  await answer.getByRole('button', { name: 'Code', exact: true }).first().click()
  await expect(image).toHaveCount(0)
  await expect(answer).toContainText('graph TD')
  await upstream.close()
})

test('an answer shows the pages that it cites, and a click asks before one opens', async ({
  launchApp,
}) => {
  const cites = (url: string, title: string) => {
    return { type: 'url_citation', url_citation: { url, title, start_index: 0, end_index: 4 } }
  }
  const annotations = [
    cites('https://sea.example/tides', 'How tides work'),
    cites('https://moon.example/', ''),
    cites('https://sea.example/tides', 'How tides work'),
  ]
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 100,
    total_tokens: 110,
    completion_tokens_details: { reasoning_tokens: 80 },
  }
  const chunk = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'one' }
  const events = [
    { delta: { role: 'assistant', reasoning_content: 'The moon pulls.' }, finish_reason: null },
    { delta: { content: 'The moon causes tides.' }, finish_reason: null },
    { delta: { annotations }, finish_reason: null },
    { delta: {}, finish_reason: 'stop' },
  ].map((choice) => JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] }))
  const last = JSON.stringify({ ...chunk, choices: [], usage })
  const upstream = await startFakeProvider({
    tls: false,
    models: { one: { events: [...events, last] } },
  })
  const { app, window } = await launchApp()
  await addOnlyRouter(window, upstream)
  await app.evaluate(({ dialog, shell }) => {
    const asked: string[] = []
    Object.assign(globalThis, { asked })
    dialog.showMessageBox = (...given: unknown[]) => {
      asked.push(JSON.stringify(given))
      return Promise.resolve({ response: 1, checkboxChecked: false })
    }
    shell.openExternal = () => {
      asked.push('opened')
      return Promise.resolve()
    }
  })
  await ask(window, 'What causes tides?')
  const answer = window.getByRole('article', { name: 'Answer' })
  await expect(answer).toContainText('80 tokens')
  await expect(answer).toContainText('% of the cost')

  const summary = answer.getByText('2 sources')
  await summary.focus()
  await window.keyboard.press('Enter')
  await expect(answer.getByRole('listitem').filter({ hasText: 'example' })).toHaveText([
    'How tides work · sea.example',
    'moon.example',
  ])
  await examineThemes(window, 'sources')
  await answer.getByRole('link', { name: 'How tides work' }).click()
  const asked = () => app.evaluate(() => (Reflect.get(globalThis, 'asked') as string[]).join())
  await expect.poll(asked).toContain('https://sea.example/tides')

  // They are stored with the answer.
  await app.close()
  const { window: again } = await launchApp()
  const list = again.getByRole('navigation', { name: 'Conversations' })
  await list.getByRole('listitem').getByRole('button').first().click()
  await expect(again.getByRole('article', { name: 'Answer' })).toContainText('2 sources')
  await upstream.close()
})
