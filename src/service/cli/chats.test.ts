import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'

const line =
  '{"messages":[{"role":"user","content":"5 km in miles?"},{"role":"assistant","content":"3.11"}]}'

test('chats import says what is new, writes nothing in a dry run, and ends with 1 for what it cannot read', async () => {
  const dataDir = temporaryFolder()
  const folder = temporaryFolder()
  const file = join(folder, 'lines.jsonl')
  const form = join(folder, 'form.json')
  writeFileSync(file, `\ufeff${line}\r\nnonsense\n`)
  const { run } = newModelport(dataDir)

  const dry = await run(['chats', 'import', file, '--dry-run', '--check-form', form])
  expect(dry.stdout).toContain('lines.jsonl (OpenAI lines), nothing is written:')
  expect(dry.stdout).toContain('warning: Line 2 of lines.jsonl has no messages.')
  const written = JSON.parse(readFileSync(form, 'utf8'))
  expect(written['lines.jsonl'].conversations[0].messages).toMatchObject([
    { role: 'user', text: '5 km in miles?' },
    { role: 'assistant', text: '3.11' },
  ])

  const own = join(dataDir, 'modelport.db')
  for (const [target, words] of [
    [file, 'choose another file'],
    [own, 'outside the data folder'],
  ] as const) {
    const before = readFileSync(target)
    const refused = await run(['chats', 'import', file, '--dry-run', '--check-form', target])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(words) })
    expect(readFileSync(target)).toEqual(before)
  }

  const real = await run(['chats', 'import', file, join(folder, 'gone.zip')])
  expect(real.stdout).toContain('conversations: 1 new, 0 with new messages, 0 already here')
  expect(real.stdout).toContain('does not exist or cannot be read.')
  expect(real).toMatchObject({ code: 1 })

  const storage = await openStorage({ dataDir })
  expect(await storage.conversations.list()).toMatchObject([{ title: '5 km in miles?' }])
  await storage.close()
})
