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

test('a diagram is drawn on demand, and one that cannot be drawn says so', async ({ openApp }) => {
  const text = `Here it is:\n\n\`\`\`mermaid\n${flow}\n\`\`\`\n\n\`\`\`mermaid\ngantt\n title Plan\n\`\`\``
  const upstream = await startFakeProvider({ tls: false, models: { one: { text } } })
  const { window } = await openApp()
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
  openApp,
  restartApp,
}) => {
  const cites = (url: string, title: string, [start, end]: [number, number]) => {
    return {
      type: 'url_citation',
      url_citation: { url, title, start_index: start, end_index: end },
    }
  }
  const annotations = [
    cites('https://sea.example/tides', 'How <b>tides</b> work', [0, 22]),
    cites('https://moon.example/', '', [0, 0]),
    cites('https://sea.example/tides', 'How <b>tides</b> work', [23, 37]),
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
    { delta: { content: 'The moon causes tides. The sun helps.' }, finish_reason: null },
    { delta: { annotations }, finish_reason: null },
    { delta: {}, finish_reason: 'stop' },
  ].map((choice) => JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] }))
  const last = JSON.stringify({ ...chunk, choices: [], usage })
  const upstream = await startFakeProvider({
    tls: false,
    models: { one: { events: [...events, last] } },
  })
  const { app, window } = await openApp()
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
    'How <b>tides</b> work · sea.example',
    'moon.example',
  ])
  await examineThemes(window, 'sources')
  await answer.getByRole('link', { name: 'How <b>tides</b> work', exact: true }).click()
  const asked = () => app.evaluate(() => (Reflect.get(globalThis, 'asked') as string[]).join())
  await expect.poll(asked).toContain('https://sea.example/tides')

  // Where a place is known, the number stands there, and asks as well; by keyboard.
  await expect(answer.getByRole('paragraph').first()).toHaveText(
    'The moon causes tides.1 The sun helps.1',
  )
  const number = answer.getByRole('link', { name: /^Source 1: How <b>tides<.b> work · sea/ })
  await expect(number).toHaveCount(2)
  const tip = answer.locator('sup').first().locator('[popover]')
  await expect(tip).toBeHidden()
  await number.first().focus()
  await expect(tip).toHaveText('How <b>tides</b> work · sea.example')
  await expect(tip).toBeVisible()
  await examineThemes(window, 'source-marks')
  await window.keyboard.press('Escape')
  await expect(tip).toBeHidden()
  await number.first().hover()
  await expect(tip).toBeVisible()
  await window.keyboard.press('Enter')
  await expect.poll(async () => (await asked()).split('https://sea.example/tides').length).toBe(3)

  // They are stored with the answer.
  await app.close()
  const { window: again } = await restartApp()
  const list = again.getByRole('navigation', { name: 'Conversations' })
  await list.getByRole('listitem').getByRole('button').first().click()
  await expect(again.getByRole('article', { name: 'Answer' })).toContainText('2 sources')
  await expect(again.getByRole('link', { name: /^Source 1: How <b>tides/ })).toHaveCount(2)
  await upstream.close()
})
