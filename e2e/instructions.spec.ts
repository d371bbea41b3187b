// Instructions of a conversation, presets and prompts, by mouse and by keyboard.
import { startFakeProvider } from '../test/fake-provider.ts'
import { examineThemes } from './examine.ts'
import { expect, test } from './fixtures.ts'
import { addOnlyRouter } from './only-router.ts'

test('a conversation has instructions, a preset begins another one, and both last', async ({
  openApp,
  restartApp,
}) => {
  const upstream = await startFakeProvider({ tls: false, models: { one: { text: 'Bonjour.' } } })
  const { app, window } = await openApp()
  await addOnlyRouter(window, upstream)
  await window.getByRole('button', { name: 'Add instructions' }).click()
  const dialog = window.getByRole('dialog', { name: 'Instructions' })
  await dialog.getByRole('textbox', { name: 'System prompt' }).fill('Translate into French.')
  await dialog.getByRole('textbox', { name: 'Temperature' }).fill('7')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Enter 2 or less')
  await dialog.getByRole('textbox', { name: 'Temperature' }).fill('0.2')
  await dialog.getByRole('textbox', { name: 'Most tokens' }).fill('300')
  await dialog.getByRole('textbox', { name: 'Name of the preset' }).fill('Translator')
  await dialog.getByRole('button', { name: 'Save as preset' }).click()
  await expect(dialog.getByRole('button', { name: 'Update preset' })).toBeVisible()
  await examineThemes(window, 'instructions-dialog')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  const line = window.getByRole('button', { name: /^Instructions:/ })
  await expect(line).toHaveText('Translate into French. · temperature 0.2 · at most 300 tokens')

  await window.getByRole('textbox', { name: 'Message' }).fill('Good day')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('article', { name: 'Answer' })).toContainText('Bonjour.')
  expect(upstream.requests.at(-1)?.body).toMatchObject({
    messages: [{ role: 'system', content: 'Translate into French.' }, { content: 'Good day' }],
    temperature: 0.2,
    max_completion_tokens: 300,
  })
  await examineThemes(window, 'instructions')

  // Its preset changes: the conversation says so, by keyboard takes the values, and gets its own back.
  await line.press('Enter')
  await dialog.getByRole('combobox', { name: 'Start from a preset' }).click()
  await window.getByRole('option', { name: 'Translator' }).click()
  const prompt = dialog.getByRole('textbox', { name: 'System prompt' })
  await prompt.fill('Translate into German.')
  await dialog.getByRole('button', { name: 'Update preset' }).click()
  await window.keyboard.press('Escape')
  const changed = window.getByText('The preset “Translator” has changed since.')
  await expect(changed).toBeVisible()
  await examineThemes(window, 'preset-changed')
  await window.getByRole('button', { name: 'Take its new values' }).press('Enter')
  await expect(line).toContainText('Translate into German.')
  await expect(changed).toHaveCount(0)
  await window.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(line).toContainText('Translate into French.')
  await window.getByRole('button', { name: 'Keep the values of this conversation' }).press('Enter')
  await expect(changed).toHaveCount(0)
  await expect(line).toContainText('Translate into French.')

  await window.getByRole('button', { name: 'New conversation' }).click()
  await expect(window.getByRole('button', { name: 'Add instructions' })).toBeVisible()
  await window.getByRole('list', { name: 'Presets' }).getByRole('button').press('Enter')
  await expect(line).toContainText('Translate into German.')
  await expect(window.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await app.close()

  const { window: again } = await restartApp()
  const list = again.getByRole('navigation', { name: 'Conversations' })
  await list.getByRole('button', { name: /^Good day/ }).click()
  await expect(again.getByRole('button', { name: /^Instructions:/ })).toContainText('temperature')
  await expect(again.getByText('has changed since')).toHaveCount(0)
  await again.getByRole('button', { name: /^Instructions:/ }).press('Enter')
  const opened = again.getByRole('dialog', { name: 'Instructions' })
  await opened.getByRole('combobox', { name: 'Start from a preset' }).click()
  await again.getByRole('option', { name: 'Translator' }).click()
  await opened.getByRole('button', { name: 'Delete preset' }).click()
  await expect(opened.getByRole('combobox', { name: 'Start from a preset' })).toHaveCount(0)
})

test('a prompt with a variable is written, found behind the slash and filled in', async ({
  openApp,
}) => {
  const { window } = await openApp()
  const message = window.getByRole('textbox', { name: 'Message' })
  await message.press('/')
  await expect(window.getByRole('listbox', { name: 'Prompts' })).toBeVisible()
  await message.press('Enter')
  const dialog = window.getByRole('dialog', { name: 'Prompts' })
  for (const [name, text] of [
    ['Translate', 'Translate into {{language}}, {{tone}}:'],
    ['Shorten', 'Make this shorter:'],
  ] as const) {
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    await dialog.getByRole('textbox', { name: 'Text' }).fill(text)
    await dialog.getByRole('button', { name: 'Add prompt' }).click()
    await expect(dialog.getByRole('listitem').filter({ hasText: name })).toBeVisible()
  }
  await window.keyboard.press('Escape')

  await message.fill('/')
  await examineThemes(window, 'prompts')
  await message.pressSequentially('trans')
  await expect(window.getByRole('option')).toHaveCount(1)
  await message.press('Tab')
  await window.getByRole('textbox', { name: 'language' }).fill('French')
  await window.getByRole('textbox', { name: 'tone' }).fill('politely')
  await examineThemes(window, 'prompt-variables')
  await window.keyboard.press('Enter')
  await expect(message).toHaveValue('Translate into French, politely:')
  await expect(message).toBeFocused()

  await window.getByRole('button', { name: 'Prompts' }).click()
  await window.getByRole('option', { name: 'Shorten' }).click()
  await expect(message).toHaveValue('Translate into French, politely:\nMake this shorter:')
  await message.fill('/usr/bin is a folder?')
  await expect(window.getByRole('listbox')).toHaveCount(0)
})

test('folders hold conversations, begin them from a preset, and pinned ones come first', async ({
  openApp,
  restartApp,
}) => {
  const upstream = await startFakeProvider({ tls: false, models: { one: { text: 'Bonjour.' } } })
  const { app, window } = await openApp()
  await addOnlyRouter(window, upstream)
  const preset = { id: 'p', name: 'Translator', parameters: {}, routerId: null }
  await window.evaluate(
    (saved) => modelport.call('chat:save-preset', { ...saved, systemPrompt: 'Into French.' }),
    preset,
  )
  await window.reload()
  const list = window.getByRole('navigation', { name: 'Conversations' })
  const ask = async (text: string) => {
    await window.getByRole('textbox', { name: 'Message' }).fill(text)
    await window.keyboard.press('Enter')
    await expect(list.getByRole('button', { name: new RegExp(`^${text}`) })).toBeVisible()
    await expect(window.getByRole('button', { name: 'Stop' })).toHaveCount(0)
  }
  await ask('Loose')

  await list.getByRole('button', { name: 'New folder' }).press('Enter')
  const dialog = window.getByRole('dialog')
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await window.keyboard.type('Work')
  await dialog.getByRole('combobox', { name: 'New conversations start from' }).click()
  await window.getByRole('option', { name: 'Translator' }).click()
  await dialog.getByRole('button', { name: 'Add folder' }).click()
  await list.getByRole('button', { name: 'Actions for Work' }).press('Enter')
  await window.getByRole('menuitem', { name: 'New conversation' }).press('Enter')
  await expect(window.getByText('In the folder “Work”')).toBeVisible()
  await ask('Good day')
  expect(upstream.requests.at(-1)?.body).toMatchObject({
    messages: [{ content: 'Into French.' }, { content: 'Good day' }],
  })

  await list.getByRole('button', { name: 'Actions for Loose' }).click()
  await window.getByRole('menuitem', { name: 'Move to folder…' }).click()
  await dialog.getByRole('combobox', { name: 'Folder' }).click()
  await window.getByRole('option', { name: 'Work' }).click()
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  const work = list.getByRole('button', { name: /^Work/, expanded: true })
  await expect(work).toHaveText('Work2')
  await list.getByRole('button', { name: 'New conversation' }).click()
  await ask('Third')
  await list.getByRole('button', { name: 'Actions for Loose' }).click()
  await window.getByRole('menuitem', { name: 'Pin' }).click()
  await expect(list.getByRole('listitem').first()).toContainText('Loose')
  await examineThemes(window, 'folders')
  await app.close()

  const { window: again } = await restartApp()
  const later = again.getByRole('navigation', { name: 'Conversations' })
  await later.getByRole('button', { name: /^Work/ }).press('Enter')
  await expect(later.getByRole('button', { name: /^Good day/ })).toBeVisible()
  await later.getByRole('button', { name: 'Actions for Work' }).click()
  await again.getByRole('menuitem', { name: 'Delete folder' }).click()
  await expect(later.getByRole('button', { name: /^Work/ })).toHaveCount(0)
  await expect(later.getByRole('button', { name: /^Good day/ })).toBeVisible()
  await again.getByRole('button', { name: 'Undo' }).click()
  await expect(later.getByRole('button', { name: /^Work/ })).toBeVisible()
})
