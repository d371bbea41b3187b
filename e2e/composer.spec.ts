// What is written while an answer arrives waits in a queue; long pastes become files; one list has prompts and commands.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startFakeProvider } from '../test/fake-provider.ts'
import { examineThemes } from './examine.ts'
import { expect, test } from './fixtures.ts'
import { addOnlyRouter } from './only-router.ts'

/** Answers begin when the test releases them. */
async function startHeldModel() {
  const waiting: (() => void)[] = []
  const upstream = await startFakeProvider({
    tls: false,
    models: {
      one: async (_request, nth) => {
        await new Promise<void>((resolve) => void waiting.push(resolve))
        // Once an answer has begun, no other model takes its place.
        return nth === 3 ? { chunks: 4, fault: { kind: 'reset', afterEvents: 3 } } : {}
      },
    },
  })
  const release = async () => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0)
    waiting.shift()?.()
  }
  return { upstream, release }
}

async function write(window: Page, text: string): Promise<void> {
  await window.getByRole('textbox', { name: 'Message' }).fill(text)
  await window.keyboard.press('Enter')
}

test('messages queue while an answer arrives, and are sent one after the other', async ({
  openApp,
  restartApp,
}) => {
  const { upstream, release } = await startHeldModel()
  const { app, window } = await openApp()
  await addOnlyRouter(window, upstream)
  const queue = window.getByRole('list', { name: 'Queued messages' })
  const questions = window.getByRole('article', { name: 'Question' })
  const message = window.getByRole('textbox', { name: 'Message' })

  // By keyboard: three wait, one is edited, one is deleted.
  await write(window, 'First question')
  await expect(window.getByRole('button', { name: 'Stop' })).toBeVisible()
  await write(window, 'Second question')
  await write(window, 'Third question')
  await write(window, 'Never asked')
  await expect(queue.getByRole('listitem')).toHaveText([
    'Second question',
    'Third question',
    'Never asked',
  ])
  await expect(message).toBeFocused()
  await window.getByRole('button', { name: 'Delete message' }).nth(2).focus()
  await window.keyboard.press('Enter')
  await expect(queue.getByRole('listitem')).toHaveCount(2)
  await expect(message).toBeFocused()
  await window.getByRole('button', { name: 'Edit message' }).nth(1).focus()
  await window.keyboard.press('Enter')
  await expect(message).toHaveValue('Third question')
  await message.fill('Third question, changed')
  await expect(window.getByRole('button', { name: 'Stop' })).toBeVisible()
  await examineThemes(window, 'queue')
  await window.getByRole('button', { name: 'Queue', exact: true }).click()
  await expect(queue.getByRole('listitem')).toHaveText([
    'Second question',
    'Third question, changed',
  ])

  // Each is sent when the answer before it ends, also while another conversation is open.
  await window.getByRole('button', { name: 'New conversation' }).first().click()
  await expect(queue).toHaveCount(0)
  await release()
  await expect.poll(() => upstream.requestCount()).toBe(2)
  const list = window.getByRole('navigation', { name: 'Conversations' })
  await list.getByRole('listitem').getByRole('button').first().click()
  await expect(questions).toHaveText(['First question', 'Second question'])

  // By mouse: sent now, in place of the running answer. Its failure holds the queue.
  await write(window, 'Fourth question')
  await queue.getByRole('button', { name: 'Send now' }).first().click()
  await expect(questions).toHaveText([
    'First question',
    'Second question',
    'Third question, changed',
  ])
  await release()
  await release()
  await expect(window.getByText('The answer failed, so the next message waits.')).toBeVisible()
  await expect(queue.getByRole('listitem')).toHaveText(['Fourth question'])
  await examineThemes(window, 'queue-waits')

  // What waits is there after a restart.
  await app.close()
  const { window: again } = await restartApp()
  const conversations = again.getByRole('navigation', { name: 'Conversations' })
  await conversations.getByRole('listitem').getByRole('button').first().click()
  await expect(again.getByText('These messages were not sent yet.')).toBeVisible()
  await again.getByRole('button', { name: 'Send next' }).click()
  await expect(again.getByRole('article', { name: 'Question' }).last()).toHaveText(
    'Fourth question',
  )
  await expect(again.getByRole('list', { name: 'Queued messages' })).toHaveCount(0)
  await release()
  await upstream.close()
})

test('a long paste is a file until it is wanted as text, and the up arrow edits the last question', async ({
  openApp,
}) => {
  const upstream = await startFakeProvider({ tls: false, models: { one: {} } })
  const { app, window } = await openApp()
  await addOnlyRouter(window, upstream)
  const message = window.getByRole('textbox', { name: 'Message' })
  const files = window.getByRole('list', { name: 'Files' })
  const long = 'word '.repeat(2000)
  const paste = async (text: string) => {
    await app.evaluate(({ clipboard }, copied) => clipboard.writeText(copied), text)
    await message.press('ControlOrMeta+v')
  }

  await paste('short')
  await expect(message).toHaveValue('short')
  await paste(long)
  await expect(files.getByRole('listitem')).toContainText('Pasted text.txt')
  await expect(message).toHaveValue('short')
  await examineThemes(window, 'paste')
  await message.press('ControlOrMeta+z')
  await expect(message).toHaveValue(`short${long}`)
  await expect(files).toHaveCount(0)

  await message.fill('')
  await paste(long)
  await window.getByRole('button', { name: 'Keep as text' }).click()
  await expect(message).toHaveValue(long)
  await expect(message).toBeFocused()

  await write(window, 'What is a lighthouse?')
  await expect(window.getByRole('list', { name: 'Answer details' })).toBeVisible()
  await message.press('ArrowUp')
  const editor = window.getByRole('textbox', { name: 'Edited question' })
  await expect(editor).toBeFocused()
  await expect(editor).toHaveValue('What is a lighthouse?')
  await window.keyboard.press('Escape')
  await expect(message).toBeFocused()
  await upstream.close()
})

test('the list behind the slash has own prompts, commands and the prompts of a server', async ({
  openApp,
  dataDir,
}) => {
  const upstream = await startFakeProvider({ tls: false, models: { one: {} } })
  const { window } = await openApp()
  await addOnlyRouter(window, upstream)
  const log = join(dataDir, 'log')
  const bin = join(import.meta.dirname, '..', 'node_modules', '.bin', 'node')
  const script = join(import.meta.dirname, '..', 'test', 'mcp', 'stdio-server.ts')
  const args = ['--no-warnings', script, 'none', log]
  const config = { kind: 'stdio' as const, command: bin, args, cwd: null, secretNames: [] }
  const server = await window.evaluate(async (given) => {
    await modelport.call('chat:save-prompt', { id: 'p', name: 'Shorten', text: 'Shorter:' })
    return await modelport.call('mcp:add', { name: 'Notes', config: given, secrets: {} })
  }, config)
  if (!server.ok) throw new Error(server.error.message)
  const message = window.getByRole('textbox', { name: 'Message' })
  const option = (name: string) => window.getByRole('option', { name })

  // A server without consent is not asked.
  await message.fill('/')
  await expect(option('New chat')).toBeVisible()
  await expect(option('Edit instructions')).toBeVisible()
  expect(existsSync(log)).toBe(false)
  await window.keyboard.press('Escape')
  const { id, identity } = server.value
  await window.evaluate((given) => modelport.call('mcp:consent', given), { id, identity })

  // By keyboard: a server's prompt asks for its arguments, and lands in the field without being sent.
  await message.fill('')
  await message.press('/')
  await expect(option('Review a file')).toContainText('Notes')
  await examineThemes(window, 'slash')
  await message.pressSequentially('review')
  await message.press('Enter')
  const form = window.getByRole('form', { name: 'Review a file' })
  await form.getByRole('textbox', { name: 'file' }).fill('missing')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('log').getByRole('alert')).toContainText('There is no such file.')
  await form.getByRole('textbox', { name: 'file' }).fill('a.ts')
  await examineThemes(window, 'slash-arguments')
  await form.getByRole('textbox', { name: 'file' }).press('Enter')
  await expect(message).toHaveValue(/^Review a\.ts for bugs\.\n\n\[image/)
  await expect(message).toBeFocused()
  expect(upstream.requestCount()).toBe(0)

  // By mouse: a command runs, and what was typed to find it goes away.
  await message.fill('/instr')
  await option('Edit instructions').click()
  await expect(window.getByRole('dialog', { name: 'Instructions' })).toBeVisible()
  await window.keyboard.press('Escape')
  await expect(message).toHaveValue('')
  await upstream.close()
})
