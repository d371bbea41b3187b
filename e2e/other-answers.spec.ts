// The same question to another model: to replace the answer, or to compare both.
import type { Page } from '@playwright/test'
import { errorReply, startFakeProvider } from '../test/fake-provider.ts'
import { examineThemes } from './examine.ts'
import { expect, test } from './fixtures.ts'
import { countInput } from './pointer-count.ts'

/** A router named Two with both models of a provider at this address, ready in the chat. */
async function addRouter(window: Page, baseUrl: string): Promise<void> {
  await window.evaluate(async (url) => {
    await modelport.call('providers:add', { id: 'fake', type: 'openai-compatible', baseUrl: url })
    for (const id of ['fake:first', 'fake:second']) {
      const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 8000 }
      await modelport.call('models:save', { id, ...price })
    }
    const models = ['fake:first', 'fake:second']
    await modelport.call('routers:create', { name: 'Two', strategy: 'priority', models })
  }, baseUrl)
  await window.getByRole('combobox', { name: 'Router' }).click()
  await window.getByRole('option', { name: 'Two' }).click()
}

test('a new answer that fails leaves the old one, its reason and its ways out, also after another conversation', async ({
  openApp,
}) => {
  const models = { first: { text: 'A tower with a light.' }, second: { text: 'Because.' } }
  const upstream = await startFakeProvider({ tls: false, models })
  const { window } = await openApp()
  await addRouter(window, upstream.url)
  await window.getByRole('textbox', { name: 'Message' }).fill('What is a lighthouse?')
  await window.keyboard.press('Enter')
  const answers = window.getByRole('article', { name: 'Answer' })
  await expect(answers).toContainText('A tower with a light.')

  upstream.setModel('second', { reply: errorReply(400, { message: 'No towers today.' }) })
  await window.getByRole('button', { name: 'Ask again' }).click()
  const replacing = window.getByRole('group', { name: 'Regenerate with' })
  await replacing.getByRole('menuitem', { name: 'fake:second' }).click()
  const thread = window.getByRole('log')
  await expect(thread).toContainText('No towers today.')
  await expect(answers).toContainText('A tower with a light.')
  await examineThemes(window, 'failed-again')

  await window.getByRole('button', { name: 'New conversation', exact: true }).click()
  await window.getByRole('button', { name: /^What is a lighthouse/ }).click()
  await expect(thread).toContainText('No towers today.')
  upstream.setModel('first', { text: 'A light on a tower.' })
  await thread.getByRole('button', { name: 'Try again' }).click()
  await expect(answers).toContainText('A light on a tower.')
  await expect(thread).not.toContainText('No towers today.')
  await upstream.close()
})

test('another model is named by what it changes', async ({ openApp }) => {
  const models = { large: { text: 'A long answer.' }, small: { text: 'A short answer.' } }
  const upstream = await startFakeProvider({ tls: false, models })
  const { window } = await openApp()
  await window.evaluate(async (baseUrl) => {
    await modelport.call('providers:add', { id: 'fake', type: 'openai-compatible', baseUrl })
    for (const [id, price, quality] of [
      ['fake:large', 10, 0.9],
      ['fake:small', 1, 0.6],
    ] as const) {
      const usd = { inputUsdPerMtok: price, outputUsdPerMtok: price, contextTokens: 8000 }
      await modelport.call('models:save', { id, ...usd, quality })
    }
    const ids = ['fake:large', 'fake:small']
    await modelport.call('routers:create', { name: 'Two', strategy: 'priority', models: ids })
  }, upstream.url)
  await window.getByRole('combobox', { name: 'Router' }).click()
  await window.getByRole('option', { name: 'Two' }).click()
  await window.getByRole('textbox', { name: 'Message' }).fill('Why?')
  await window.keyboard.press('Enter')
  const answers = window.getByRole('article', { name: 'Answer' })
  await expect(answers).toContainText('A long answer.')

  await window.getByRole('button', { name: 'Ask again' }).click()
  await expect(window.getByRole('menuitem', { name: /^Stronger/ })).toHaveCount(0)
  const cheaper = window.getByRole('menuitem', { name: 'Cheaper: fake:small, −90 %' })
  await expect(cheaper).toBeVisible()
  await examineThemes(window, 'regenerate')
  await cheaper.click()
  await expect(answers).toContainText('A short answer.')
  await window.getByRole('button', { name: 'Ask again' }).press('Enter')
  await window.getByRole('menuitem', { name: /^Stronger: fake:large, \+\$/ }).press('Enter')
  await expect(answers).toContainText('A long answer.')

  // The slider moves the router's choice for this conversation.
  await window.getByRole('textbox', { name: 'Message' }).fill('How?')
  const line = window.getByRole('status', { name: 'Routing line' })
  await expect(line).toContainText('fake:large')
  const slider = window.getByRole('slider', { name: 'Cheap or best models' })
  await expect(slider).toHaveAttribute('aria-valuetext', 'As the router decides')
  await slider.press('Home')
  await expect(slider).toHaveAttribute('aria-valuetext', 'Cheapest')
  await expect(line).toContainText('fake:small')
  await window.getByRole('textbox', { name: 'Message' }).press('Enter')
  await expect(answers.last()).toContainText('A short answer.')

  // What was not good enough goes to the next better model.
  await answers.last().getByRole('button', { name: 'Bad answer' }).press('Enter')
  await expect(answers.last()).toContainText(/you liked 0 of 1 answer of fake:small/)
  await examineThemes(window, 'not-good-enough')
  await answers
    .last()
    .getByRole('button', { name: /^Ask fake:large, \+\$/ })
    .press('Enter')
  await expect(answers.last()).toContainText('A long answer.')

  await window.getByRole('button', { name: 'Charts' }).click()
  const figures = window.getByRole('region', { name: 'This conversation' })
  await expect(figures).toContainText('Of it on other branches')
  await expect(figures).toContainText(/Saved against always fake:large\$/)
  await examineThemes(window, 'conversation-figures')
  await upstream.close()
})

test('a blind comparison shows names and figures after an answer was kept', async ({ openApp }) => {
  const slow = { text: 'It is Paris, on the Seine, since long ago.', chunks: 10, chunkDelayMs: 150 }
  const models = { first: slow, second: { text: 'Paris has been the capital for long.' } }
  const upstream = await startFakeProvider({ tls: false, models })
  const { window } = await openApp()
  await addRouters(window, upstream.url)
  await window.getByRole('button', { name: 'Compare routers' }).press('Enter')
  await window.getByRole('menuitemcheckbox', { name: 'Blind' }).press('Enter')
  await window.getByRole('menuitemcheckbox', { name: 'Small' }).press('Enter')
  const message = window.getByRole('textbox', { name: 'Message' })
  await message.fill('What is the capital of France?')
  await message.press('Enter')

  const panes = window.getByRole('group', { name: 'Answers to compare' })
  const keep = panes.getByRole('button', { name: 'Keep this answer' })
  await expect(panes.getByRole('heading')).toHaveText(['Answer A', 'Answer B'])
  const fast = panes.getByRole('article', { name: 'Answer' }).filter({ hasText: 'Paris has' })
  await expect(fast).toBeVisible()
  // The fast answer is there, but the slow one sets the pace.
  await expect(fast).not.toContainText('long.')
  await expect(keep).toHaveCount(2)
  await expect(panes).not.toContainText(/fake:|Large|Small|\$/)
  await examineThemes(window, 'blind')
  await keep.first().press('Enter')
  const notices = window.getByRole('region', { name: 'Notices' })
  await expect(notices).toContainText(/Answer A was .*fake:\w+; Answer B was .*fake:\w+/)
  await expect(notices).toContainText(/you liked 1 of 1 answer of fake:/)
  await upstream.close()
})

test('a message that fills the context is continued with a summary or by a larger model', async ({
  openApp,
}) => {
  const models = { first: { text: 'A first answer.' }, second: { text: 'From the larger one.' } }
  const upstream = await startFakeProvider({ tls: false, models })
  const { window } = await openApp()
  await addRouter(window, upstream.url)
  await window.evaluate(async () => {
    const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 32_000 }
    await modelport.call('models:save', { id: 'fake:second', ...price })
  })
  const message = window.getByRole('textbox', { name: 'Message' })
  const answers = window.getByRole('article', { name: 'Answer' })
  await message.fill('Why?')
  await message.press('Enter')
  await expect(answers).toContainText('A first answer.')

  const long = Array.from({ length: 9_200 }, (_, index) => (index % 7 === 0 ? 'a' : 'it')).join(' ')
  await message.fill(long)
  const bar = window.getByRole('progressbar', { name: 'Context of fake:first' })
  await expect(bar).toBeVisible()
  await examineThemes(window, 'context-bar')
  await window.getByRole('button', { name: /^Take fake:second, 32K tokens/ }).press('Enter')
  await expect(window.getByRole('status', { name: 'Routing line' })).toContainText('fake:second')
  await window.getByRole('button', { name: 'back to first' }).press('Enter')

  upstream.setModel('first', { text: 'We talked about why.' })
  await window.getByRole('button', { name: /^Continue with a summary, \$/ }).press('Enter')
  await expect(window.getByRole('heading', { name: 'New conversation' })).toBeVisible()
  await expect(message).toHaveValue(
    /^Summary of our conversation so far:\n\nWe talked about why\.\n\na it/,
  )
  await upstream.close()
})

async function askAgain(window: Page, way: string): Promise<void> {
  await window.getByRole('button', { name: 'Ask again' }).click()
  const group = window.getByRole('group', { name: way })
  await group.getByRole('menuitem', { name: 'fake:second' }).click()
}

test('another model replaces the first answer, the other answer is kept, and two are compared', async ({
  openApp,
}) => {
  const rich = 'It is Paris.\n\n```ts\nconst paris = 1\n```\n\nSee \\(\\frac{a}{b}\\).'
  const models = { first: { text: rich }, second: { text: 'Paris, on the Seine.' } }
  const upstream = await startFakeProvider({ tls: false, models })
  const { window } = await openApp()
  await addRouter(window, upstream.url)
  await window.getByRole('textbox', { name: 'Message' }).fill('What is the capital of France?')
  await window.keyboard.press('Enter')
  const answers = window.getByRole('article', { name: 'Answer' })
  await expect(answers).toContainText('fake:first')
  // From the worker, under the window's content security policy.
  await expect(answers.locator('.code-keyword')).toHaveText('const')
  await expect(answers.locator('math mfrac')).toHaveText('ab')

  await askAgain(window, 'Regenerate with')
  await expect(answers.first()).toContainText('Paris, on the Seine.')
  await expect(answers.first()).toContainText('pinned')
  const versions = window.getByRole('group', { name: 'Versions of the answer' })
  await expect(versions).toContainText('2/2')
  await versions.getByRole('button', { name: 'Previous version' }).click()
  await expect(answers.first()).toContainText('It is Paris.')

  await askAgain(window, 'Compare with')
  const comparison = window.getByRole('group', { name: 'Answers to compare' })
  await expect(comparison.getByRole('article', { name: 'Answer' })).toHaveCount(2)
  await examineThemes(window, 'compare')
  await comparison.getByRole('button', { name: 'Keep this answer' }).nth(1).click()
  await expect(comparison).toBeHidden()
  await expect(answers.first()).toContainText('Paris, on the Seine.')
  await expect(versions).toContainText('3/3')
  await expect(window.getByRole('alert')).toHaveCount(0)

  await window.getByRole('textbox', { name: 'Message' }).fill('Why?')
  await window.keyboard.press('Enter')
  await expect(answers.last()).toContainText('fake:first')
  expect(upstream.requests.at(-1)?.body).toMatchObject({
    messages: [
      { content: 'What is the capital of France?' },
      { content: 'Paris, on the Seine.' },
      { content: 'Why?' },
    ],
  })

  const list = window.getByRole('navigation', { name: 'Conversations' })
  await window.getByRole('article', { name: 'Question' }).last().hover()
  await window.getByRole('button', { name: 'Edit question' }).last().click()
  await window.getByRole('textbox', { name: 'Edited question' }).fill('Why a river?')
  await window.keyboard.press('Enter')
  const questions = window.getByRole('group', { name: 'Versions of the question' })
  await expect(questions).toContainText('2/2')
  await expect(answers.last()).toContainText('fake:first')
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await examineThemes(window, 'versions')
  await questions.getByRole('button', { name: 'Previous version' }).press('Enter')
  await expect(questions).toContainText('1/2')
  await window.getByRole('article', { name: 'Question' }).last().hover()
  await window.getByRole('button', { name: 'Delete question and what follows' }).last().click()
  await expect(questions).toHaveCount(0)
  await expect(window.getByRole('article', { name: 'Question' }).last()).toHaveText('Why a river?')
  await window.getByRole('button', { name: 'Undo' }).click()
  await expect(questions).toContainText('1/2')
  await list.getByRole('searchbox').fill('RIVER a')
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list.getByRole('listitem')).toContainText('a river?')
  // A hit on another branch opens at its message.
  await list.getByRole('listitem').getByRole('button').first().press('Enter')
  await expect(questions).toContainText('2/2')
  await expect(window.getByRole('article', { name: 'Question' }).last()).toBeFocused()
  await questions.getByRole('button', { name: 'Previous version' }).press('Enter')
  await list.getByRole('searchbox').fill('')

  upstream.setModel('first', { reply: errorReply(503) })
  await window.getByRole('textbox', { name: 'Message' }).fill('And when?')
  await window.keyboard.press('Enter')
  await expect(answers.last()).toContainText('fake:second')
  await expect(answers.last()).toContainText('instead of fake:first (not available)')
  await examineThemes(window, 'fallback')
  await upstream.close()
})

/** Two more routers beside Local, each with one model of a provider at this address. */
async function addRouters(window: Page, baseUrl: string): Promise<void> {
  await window.evaluate(async (url) => {
    await modelport.call('providers:add', { id: 'fake', type: 'openai-compatible', baseUrl: url })
    const routers = [
      { name: 'Large', model: 'fake:first', usd: 10 },
      { name: 'Small', model: 'fake:second', usd: 1 },
    ]
    for (const { name, model, usd } of routers) {
      const price = { inputUsdPerMtok: usd, outputUsdPerMtok: usd, contextTokens: 8000 }
      await modelport.call('models:save', { id: model, ...price })
      await modelport.call('routers:create', { name, strategy: 'priority', models: [model] })
    }
  }, baseUrl)
  await window.getByRole('combobox', { name: 'Router' }).click()
  await window.getByRole('option', { name: 'Large' }).click()
}

test('routers are compared in two clicks, and by keyboard alone: one Enter asks all of them', async ({
  openApp,
}) => {
  const models = { first: { text: 'It is Paris.' }, second: { text: 'Paris, on the Seine.' } }
  const upstream = await startFakeProvider({ tls: false, models })
  const { window } = await openApp()
  await addRouters(window, upstream.url)
  const message = window.getByRole('textbox', { name: 'Message' })
  const panes = window.getByRole('group', { name: 'Answers to compare' })
  const answers = panes.getByRole('article', { name: 'Answer' })
  const input = await countInput(window)

  await window.getByRole('button', { name: 'Compare routers' }).click()
  await window.getByRole('menuitemcheckbox', { name: 'Small' }).click()
  await expect(message).toBeFocused()
  expect(await input()).toMatchObject({ clicks: 2, keys: 0 })
  await window.keyboard.type('What is the capital of France?')
  await window.keyboard.press('Enter')

  await expect(answers).toContainText(['It is Paris.', 'Paris, on the Seine.'])
  await expect(panes.getByRole('heading')).toHaveText(['Large', 'Small'])
  const differences = panes.getByRole('list', { name: 'Differences' })
  await expect(differences).toContainText(/Small compared with Large.*Cost.* less/)
  await expect(differences).toContainText(/Duration .*(faster|slower|the same)/)
  await expect(differences).toContainText('CO₂e')
  const [left, right] = await Promise.all([0, 1].map((index) => answers.nth(index).boundingBox()))
  expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0))
  expect((await input()).clicks).toBe(2)

  // From another page, with a third router.
  await window.getByRole('link', { name: 'Home' }).press('Enter')
  const before = await input()
  await window.keyboard.press('Control+\\')
  await expect(window.getByRole('menuitemcheckbox', { name: 'Small' })).toBeChecked()
  await window.keyboard.press('ArrowDown')
  await window.keyboard.press('Enter')
  await expect(message).toBeFocused()
  await window.keyboard.type('Why?')
  await window.keyboard.press('Enter')
  await expect(panes.last().getByRole('heading')).toHaveText(['Large', 'Small', 'Local'])
  await expect(panes.last().getByRole('list', { name: 'Differences' })).toContainText('Local', {
    timeout: 60_000,
  })
  expect((await input()).clicks).toBe(before.clicks)
  await examineThemes(window, 'compare-routers')
  await upstream.close()
})

test('compared answers of unequal length end at their question, and a table shows all of its columns', async ({
  openApp,
}) => {
  const long = Array.from({ length: 120 }, (_, line) => `Paragraph ${line} of the answer.`)
  // Five short columns have room, unless each of them is wider than its content.
  const rows = ['City|In|km²|m|h', '-|-|-|-|-', 'Paris|FR|105|35|2', 'Lyon|FR|48|173|1']
  const table = rows.map((row) => `|${row}|`).join('\n')
  const models = { first: { text: long.join('\n\n') }, second: { text: table } }
  const upstream = await startFakeProvider({ tls: false, models })
  const { window } = await openApp()
  await addRouters(window, upstream.url)
  await window.getByRole('button', { name: 'Compare routers' }).click()
  await window.getByRole('menuitemcheckbox', { name: 'Small' }).click()
  await window.getByRole('textbox', { name: 'Message' }).fill('Which cities are large?')
  await window.keyboard.press('Enter')

  const panes = window.getByRole('group', { name: 'Answers to compare' })
  await expect(panes.getByRole('list', { name: 'Answer details' })).toHaveCount(2)
  await expect(panes).toContainText('Paragraph 119')
  await expect(window.getByRole('article', { name: 'Question' })).toBeInViewport()
  const shown = panes.getByRole('region', { name: 'Table' })
  await expect(shown).toBeInViewport()
  const boxes = await shown.evaluate((region) => ({
    hidden: region.scrollWidth - region.clientWidth,
    rows: [...region.querySelectorAll('tr')].map(({ offsetHeight }) => offsetHeight),
  }))
  expect(boxes.hidden).toBe(0)
  // No cell has a second line.
  expect(Math.max(...boxes.rows)).toBeLessThan(45)
  await upstream.close()
})

test('the end is followed when what is above it shrinks while an answer grows, until the user scrolls back', async ({
  openApp,
}) => {
  const long = Array.from({ length: 120 }, (_, line) => `Paragraph ${line} of the answer.`)
  const models = { first: { text: long.join('\n\n') }, second: {} }
  const upstream = await startFakeProvider({ tls: false, models })
  const { window } = await openApp()
  await addRouters(window, upstream.url)
  await window.getByRole('textbox', { name: 'Message' }).fill('Which cities are large?')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('list', { name: 'Answer details' })).toHaveCount(1)
  await expect(window.getByRole('log')).toContainText('Paragraph 119')

  const fromEndPx = await window.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const thread = document.querySelector('[role=log]')
    if (!thread) throw new Error('The thread is not shown.')
    const shrinking = document.createElement('div')
    const growing = document.createElement('div')
    thread.prepend(shrinking)
    thread.append(growing)
    shrinking.style.height = '300px'
    await frame()
    await frame()
    // The end grows after the layout that moves the view back, and before the event of that.
    await new Promise<void>((resolve) => {
      const observer = new ResizeObserver(() => {
        if (shrinking.offsetHeight > 0) return
        observer.disconnect()
        setTimeout(resolve)
      })
      observer.observe(shrinking)
      shrinking.style.height = '0'
    })
    growing.style.height = '200px'
    for (let nth = 0; nth < 3; nth += 1) await frame()
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = thread.parentElement ?? {}
    shrinking.remove()
    growing.remove()
    return scrollHeight - scrollTop - clientHeight
  })
  expect(fromEndPx).toBeLessThan(2)
  const jump = window.getByRole('button', { name: 'Scroll to end' })
  await expect(jump).toHaveCount(0)
  await window.getByRole('log').hover()
  await window.mouse.wheel(0, -300)
  await expect(jump).toBeVisible()
  await jump.click()
  await expect(jump).toHaveCount(0)
  await upstream.close()
})
