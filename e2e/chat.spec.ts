/**
 * The main job: a first start, an answer from the model on this computer, and all data still there after a
 * restart.
 */
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { layoutProblems, resizeWindow, type WindowSize } from './layout.ts'
import { savePicture } from './pictures.ts'

const charts = ['Decisions', 'Latency', 'Spend', 'Carbon']

/** Window sizes. At 200 % the first has 640 x 410 pixels for the page. The smallest window comes last. */
const sizes: readonly WindowSize[] = [
  { width: 1280, height: 820, zoom: 2 },
  { width: 1000, height: 700 },
  { width: 720, height: 480 },
]

async function ask(window: Page, question: string): Promise<void> {
  await window.getByRole('textbox', { name: 'Message' }).fill(question)
  await window.getByRole('button', { name: 'Send' }).click()
}

/** The local model is small and this computer may be busy. */
const answered = { timeout: 120_000 }

function chips(window: Page) {
  return window.getByRole('list', { name: 'Answer details' })
}

test('a first start answers from the local model, charts the answer, and keeps it after a restart', async ({
  launchApp,
}) => {
  const { app, window } = await launchApp()

  await expect(window.getByRole('combobox', { name: 'Router' })).toContainText('Local')
  await ask(window, 'What is the capital of France? One sentence.')
  await expect(window.getByRole('article', { name: 'Answer' })).not.toHaveText('', answered)
  await expect(chips(window)).toHaveCount(1, answered)
  await expect(chips(window)).toHaveText(/local:smollm2-135m-instruct.*\$0.*s.*g.*priority/)

  await ask(window, 'And of Italy?')
  await expect(chips(window)).toHaveCount(2, answered)
  await expect(window.getByRole('figure')).toHaveCount(0)
  await window.getByRole('button', { name: 'Charts' }).click()
  await expect(window.getByRole('region', { name: 'This conversation' })).toContainText('Answers2')
  for (const name of charts) {
    const chart = window.getByRole('figure', { name })
    // One bucket of half an hour, or two when the answers are in different ones.
    await expect(chart).toHaveAttribute('data-points', /^[12]$/)
    await chart.getByRole('button', { name: 'Show as table' }).click()
    await expect(chart.getByRole('row').nth(1)).toBeVisible()
    await chart.getByRole('button', { name: 'Show as chart' }).click()
  }
  await savePicture(window, 'chat')
  for (const size of sizes) {
    await resizeWindow(app, window, size)
    const at = `${size.width}x${size.height} at ${size.zoom ?? 1}`
    expect(await layoutProblems(window), at).toEqual([])
    const composer = await window.getByRole('textbox', { name: 'Message' }).boundingBox()
    const send = await window.getByRole('button', { name: 'Send' }).boundingBox()
    const width = (send?.x ?? 0) + (send?.width ?? 0) - (composer?.x ?? 0)
    expect(width, at).toBeGreaterThanOrEqual(320)
  }
  await expect(window.getByRole('navigation', { name: 'Conversations' })).toHaveCount(0)
  await window.getByRole('button', { name: 'Show conversations' }).click()
  await window.getByRole('navigation', { name: 'Conversations' }).waitFor()
  await window.keyboard.press('Escape')
  await expect(window.getByRole('figure')).toHaveCount(0)
  await window.getByRole('button', { name: 'Charts' }).click()
  await window.getByRole('figure', { name: 'Decisions' }).waitFor()
  await window.keyboard.press('Escape')
  // The next start opens a window of this size.
  await resizeWindow(app, window, { width: 1280, height: 820 })
  const thread = await window.getByRole('article').allTextContents()
  await app.close()

  const { window: again } = await launchApp()
  await again
    .getByRole('navigation', { name: 'Conversations' })
    .getByRole('listitem')
    .getByRole('button')
    .first()
    .click()
  await expect(chips(again)).toHaveCount(2)
  expect(await again.getByRole('article').allTextContents()).toEqual(thread)
  await expect(again.getByRole('combobox', { name: 'Router' })).toContainText('Local')
  await again.getByRole('button', { name: 'Charts' }).click()
  for (const name of charts) {
    await expect(again.getByRole('figure', { name })).toHaveAttribute('data-points', /^[12]$/)
  }
})

test('a chat that loads late leaves the focus where the user moved it', async ({ openApp }) => {
  const { window } = await openApp('/home')
  const message = window.getByRole('textbox', { name: 'Message' })

  // The focus moves while the page is still loading.
  await window.evaluate(async () => {
    const isNavigating = new Promise((resolve) =>
      addEventListener('hashchange', resolve, { once: true }),
    )
    location.hash = '/chat'
    await isNavigating
    document.querySelector<HTMLElement>('a[href$="#/connect"]')?.focus()
  })
  await message.waitFor()
  await expect(window.getByRole('link', { name: 'Connect' })).toBeFocused()

  await window.getByRole('link', { name: 'Home' }).click()
  await window.getByRole('link', { name: 'Chat', exact: true }).click()
  await expect(message).toBeFocused()
})

test('Stop keeps what has arrived', async ({ openApp }) => {
  const { window } = await openApp()

  await ask(window, 'Write a very long story about a lighthouse, with many chapters.')
  // Not the placeholder, which has words too.
  await expect(window.locator('.prose')).toContainText(/\w+ \w+/, answered)
  await window.getByRole('button', { name: 'Stop' }).click()

  const answer = window.getByRole('article', { name: 'Answer' })
  await expect(answer).toContainText('Stopped. The partial answer is saved.')
  await expect(answer).toContainText(/\w+ \w+/)
  await expect(chips(window)).toHaveText(/local:smollm2-135m-instruct.*\$0.*s.*g.*priority/)
  await expect(window.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await expect(answer.getByRole('button', { name: 'Try again' })).toHaveCount(1)
})

test('when the model process is killed, the thread shows it and the next message works', async ({
  openApp,
}) => {
  const { app, window } = await openApp()
  await ask(window, 'Write a very long story about a lighthouse, with many chapters.')
  // Not the placeholder, which has words too.
  await expect(window.locator('.prose')).toContainText(/\w+ \w+/, answered)

  const findPid = () =>
    app.evaluate(({ app: electron }) => {
      const process = electron.getAppMetrics().find(({ name }) => name === 'Modelport local model')
      return process?.pid ?? null
    })
  // Electron reports a new process shortly after the process begins to answer.
  await expect.poll(findPid, answered).not.toBeNull()
  process.kill((await findPid()) ?? 0, 'SIGKILL')

  const answer = window.getByRole('article', { name: 'Answer' })
  await expect(answer.first()).toContainText('local:smollm2-135m-instruct', answered)
  await expect(answer.first()).toContainText('The answer broke off')
  await expect(answer.first().getByRole('button', { name: 'Continue' })).toBeVisible()
  await answer.first().getByRole('button', { name: 'Try again' }).click()
  await expect(window.getByRole('article', { name: 'Question' })).toHaveCount(1)
  await window.getByRole('button', { name: 'Stop' }).click()
  await ask(window, 'Say hello.')
  // Not its end: the model may go on with the story.
  await expect(answer.last().locator('.prose')).toContainText(/\w+/, answered)
})
