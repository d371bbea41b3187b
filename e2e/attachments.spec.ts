// Files of a message: attached by dialog, drop and paste, and what is said when no model reads them.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startFakeProvider } from '../test/fake-provider.ts'
import { sampleDocument, samplePdf, samplePng, sampleWorkbook } from '../test/sample-files.ts'
import { examineThemes } from './examine.ts'
import { expect, test } from './fixtures.ts'

/** A router whose model reads images and PDFs, and one whose model reads text only. */
async function addRouters(window: Page, url: string): Promise<void> {
  await window.evaluate(async (baseUrl) => {
    await modelport.call('providers:add', { id: 'fake', type: 'openai-compatible', baseUrl })
    const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 80_000 }
    await modelport.call('models:save', {
      id: 'fake:sees',
      ...price,
      capabilities: ['vision', 'files'],
    })
    await modelport.call('models:save', { id: 'fake:reads', ...price, capabilities: ['tools'] })
    const strategy = 'priority'
    await modelport.call('routers:create', { name: 'Text', strategy, models: ['fake:reads'] })
    await modelport.call('routers:create', {
      name: 'Eyes',
      strategy,
      models: ['fake:reads', 'fake:sees'],
    })
  }, url)
  await window.getByRole('combobox', { name: 'Router' }).click()
  await window.getByRole('option', { name: 'Text' }).click()
}

/** What a desktop does when files are dropped or pasted. */
async function give(window: Page, kind: 'drop' | 'paste', name: string, text: string) {
  await window.getByRole('textbox', { name: 'Message' }).evaluate(
    (field, given) => {
      const data = new DataTransfer()
      data.items.add(new File([given.text], given.name))
      const event =
        given.kind === 'drop'
          ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
          : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
      field.dispatchEvent(event)
    },
    { kind, name, text },
  )
}

test('files are attached, read by the models that can, sent, kept and deleted', async ({
  openApp,
  restartApp,
  dataDir,
}) => {
  const models = { sees: { text: 'A grey square.' }, reads: { text: 'Read.' } }
  const upstream = await startFakeProvider({ tls: false, models })
  const image = join(dataDir, 'square.png')
  const report = join(dataDir, 'report.pdf')
  await writeFile(image, samplePng(300, 200))
  const [minutes, costs] = [join(dataDir, 'minutes.docx'), join(dataDir, 'costs.xlsx')]
  await writeFile(report, samplePdf(['Revenue grew. '.repeat(30)]))
  await writeFile(minutes, sampleDocument())
  await writeFile(costs, sampleWorkbook([['Pens', 12]]))
  const { app, window } = await openApp()
  await addRouters(window, upstream.url)
  const files = window.getByRole('list', { name: 'Files' })
  const send = window.getByRole('button', { name: 'Send', exact: true })

  const chooser = window.waitForEvent('filechooser')
  await window.getByRole('button', { name: 'Attach' }).press('Enter')
  await (await chooser).setFiles([image, report, minutes, costs])
  await expect(files.getByRole('listitem')).toHaveCount(4)
  await expect(files).toContainText('No model of Text reads images, so square.png cannot be sent.')
  await expect(files).toContainText('read by 1 of 1 models')
  await window.getByRole('textbox', { name: 'Message' }).fill('What is in them?')
  await expect(send).toBeDisabled()
  await examineThemes(window, 'attachments-unreadable')
  await files.getByRole('button', { name: 'Use Eyes' }).click()
  await expect(files).toContainText(/square\.png.*tokens · read by 1 of 2 models/)
  await expect(files).toContainText(/report\.pdf.*1 page.*tokens · read by 2 of 2 models/)
  await files.getByText('As pages').click()
  await expect(files).toContainText(/report\.pdf.*1 page.*tokens · read by 1 of 2 models/)

  await give(window, 'drop', 'table.csv', 'a,b\n1,2\n')
  await give(window, 'paste', 'code.ts', 'const a = 1\n')
  await expect(files.getByRole('listitem')).toHaveCount(6)
  await give(window, 'drop', 'tool.exe', 'MZ\0\0')
  const refusal = window.getByRole('alert').filter({ hasText: 'Modelport cannot read tool.exe.' })
  await expect(refusal).toBeVisible()
  await files.getByRole('button', { name: 'Remove code.ts' }).click()
  await examineThemes(window, 'attachments')

  await send.click()
  await expect(window.getByRole('article', { name: 'Answer' })).toContainText('A grey square.')
  expect(upstream.requests.at(-1)?.body).toMatchObject({
    model: 'sees',
    messages: [
      {
        content: [
          {
            type: 'image_url',
            image_url: { url: expect.stringMatching(/^data:image\/png;base64,/) },
          },
          { type: 'file', file: { filename: 'report.pdf' } },
          { type: 'text', text: expect.stringContaining('<h1>Quarterly report</h1>') },
          { type: 'text', text: 'File costs.xlsx:\n\nSheet Costs:\nPens,12' },
          { type: 'text', text: 'File table.csv:\n\na,b\n1,2\n' },
          { type: 'text', text: 'What is in them?' },
        ],
      },
    ],
  })
  const question = window.getByRole('article', { name: 'Question' })
  await expect(question.getByRole('listitem')).toHaveCount(5)
  await expect(question.locator('img')).toHaveCount(1)
  await examineThemes(window, 'attachments-sent')
  await give(window, 'drop', 'later.txt', 'Later')
  await expect(files.getByRole('listitem').filter({ hasText: 'later.txt' })).toBeVisible()
  // A draft is stored a moment after it changed.
  const stored = () =>
    window.evaluate(async () => JSON.stringify(await modelport.call('chat:drafts', undefined)))
  await expect.poll(stored).toContain('later.txt')
  await app.close()

  const { window: again } = await restartApp()
  await again.getByRole('searchbox', { name: 'Search conversations' }).fill('report.pdf')
  const list = again.getByRole('navigation', { name: 'Conversations' })
  await list.getByRole('button', { name: /^What is in them/ }).click()
  await expect(again.getByRole('article', { name: 'Question' }).locator('img')).toHaveCount(1)
  await expect(again.getByRole('list', { name: 'Files' }).last()).toContainText('later.txt')
})
