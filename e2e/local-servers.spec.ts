/**
 * Model servers on this computer: found when Providers opens, added with one click, used and stopped. The stand-ins
 * speak the real wires of Ollama and LM Studio at their real ports, which must be free.
 */
import type { Page } from '@playwright/test'
import { startFakeLmStudio, type FakeLmStudio } from '../test/upstreams/lm-studio/fake.ts'
import {
  lastLine,
  startFakeOllama,
  textLine,
  type FakeOllama,
} from '../test/upstreams/ollama/fake.ts'
import { expect, test } from './fixtures.ts'
import { savePicture } from './pictures.ts'
import { openPlace } from './places.ts'

const section = (window: Page) =>
  window.getByRole('region', { name: 'Model servers on this computer' })

async function openProviders(window: Page): Promise<void> {
  await openPlace(window, 'Models', 'Providers')
  await expect(section(window)).toHaveAttribute('aria-busy', 'false')
}

/** An answer of a minute, so that it is not over when Stop is clicked. */
const wordCount = 2_400

const words = Array.from({ length: wordCount }, (_, nth) => textLine(`word${nth} `))

function startOllama(): Promise<FakeOllama> {
  return startFakeOllama({
    port: 11_434,
    models: {
      'llama3.2:1b': {
        loadMs: 800,
        reply: () => ({ lines: [textLine('A long story begins'), lastLine()] }),
      },
      'qwen3:8b': {
        capabilities: ['completion', 'tools', 'thinking'],
        lineMs: 25,
        reply: () => ({ lines: [...words, lastLine()] }),
      },
    },
  })
}

/** Chooses a router with only this model, and sends a message. */
async function askModel(window: Page, model: string): Promise<void> {
  await window.evaluate(
    (id) =>
      modelport.call('routers:create', { name: `Only ${id}`, strategy: 'priority', models: [id] }),
    model,
  )
  await window.getByRole('link', { name: 'Chat' }).click()
  await window.getByRole('button', { name: 'New conversation' }).click()
  await window.getByRole('combobox', { name: 'Router' }).click()
  await window.getByRole('option', { name: `Only ${model}` }).click()
  await window.getByRole('textbox', { name: 'Message' }).fill('Tell me a long story.')
  await window.getByRole('button', { name: 'Send' }).click()
}

/** A busy machine stalls for seconds; without Stop, the answer goes on for a minute. */
const mostStopMs = 10_000

/** Clicks Stop in the middle of an answer. @returns how long the server's connection stayed open after it */
async function stopAnswer(
  window: Page,
  server: Pick<FakeOllama | FakeLmStudio, 'chats'>,
): Promise<number> {
  await expect(window.getByRole('article', { name: 'Answer' })).toContainText('word3')
  const stop = window.getByRole('button', { name: 'Stop' })
  const clickedAtMs = await stop.evaluate((button) => {
    const atMs = Date.now()
    button.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    return atMs
  })
  const abortedAt = () => server.chats.at(-1)?.abortedAtMs ?? null
  await expect.poll(abortedAt).not.toBeNull()
  return (abortedAt() ?? Infinity) - clickedAtMs
}

test('Ollama and LM Studio are found, added with one click, used, and stopped at once', async ({
  openApp,
}) => {
  const ollama = await startOllama()
  const lmStudio = await startFakeLmStudio({ port: 1234, eventMs: 25, words: wordCount })
  const { window } = await openApp()
  try {
    await expect(window.getByRole('combobox', { name: 'Router' })).toContainText('Local')
    expect([...ollama.requests, ...lmStudio.requests]).toEqual([])

    await openProviders(window)
    const rows = section(window).getByRole('listitem')
    await expect(rows).toHaveCount(2)
    await expect(rows.nth(0)).toContainText('Ollama0.34.1 · 127.0.0.1:11434')
    await expect(rows.nth(1)).toContainText('qwen3-4b (in memory, 8.19K context)')
    expect(lmStudio.requests).toEqual(['GET /api/v1/models'])
    await savePicture(window, 'servers-found')

    for (const name of ['Ollama', 'LM Studio']) {
      await section(window)
        .getByRole('button', { name: `Add ${name}` })
        .click()
      await expect(section(window).getByRole('listitem', { name })).toContainText('added as')
    }
    await expect(window.getByRole('listitem', { name: 'ollama', exact: true })).toContainText(
      'works',
    )
    await savePicture(window, 'servers-added')

    const nameByModel = (value: boolean) =>
      window.evaluate(
        (isOn) => modelport.call('settings:set', { name: 'titlesByModel', value: isOn }),
        value,
      )
    await nameByModel(true)
    await askModel(window, 'ollama:llama3.2:1b')
    const details = window.getByRole('list', { name: 'Answer details' })
    await expect(details).toContainText('ollama:llama3.2:1b')
    await expect(details).toContainText('$0')
    // The same model names the conversation, once nothing else is asked.
    const list = window.getByRole('navigation', { name: 'Conversations' })
    await expect(list.getByRole('button', { name: /^A long story begins/ })).toBeVisible()
    await savePicture(window, 'title-by-model')
    await nameByModel(false)

    await askModel(window, 'ollama:qwen3:8b')
    expect(await stopAnswer(window, ollama)).toBeLessThan(mostStopMs)
    await askModel(window, 'lm-studio:qwen3-4b')
    expect(await stopAnswer(window, lmStudio)).toBeLessThan(mostStopMs)

    await openProviders(window)
    const speeds = window
      .getByRole('listitem', { name: 'ollama', exact: true })
      .getByRole('list', { name: 'Speed of its models' })
    await expect(speeds).toContainText('llama3.2:1b 50 tokens/s · reads 200 tokens/s')
    await expect(speeds).toContainText('in memory')
    await savePicture(window, 'servers-used')
  } finally {
    await Promise.all([ollama.close(), lmStudio.close()])
  }
})

test('without a server the page says how to start one, and finds it when asked again', async ({
  openApp,
}) => {
  const { window } = await openApp()
  await openProviders(window)
  await expect(section(window)).toContainText('No model server is running. Start Ollama')
  await savePicture(window, 'servers-none')

  const ollama = await startOllama()
  try {
    await section(window).getByRole('button', { name: 'Search again' }).click()
    await expect(section(window).getByRole('listitem', { name: 'Ollama' })).toBeVisible()
  } finally {
    await ollama.close()
  }
})
