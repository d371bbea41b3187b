import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { addApproved, openServers } from './open-servers.ts'
import { scripted } from './scripted-server.ts'

test('a server’s prompts are listed and filled as plain text, without what a person cannot see', async () => {
  const opened = await openServers()
  const { id } = await addApproved(opened)
  expect(await opened.servers.prompts(id)).toEqual([
    {
      name: 'review',
      title: 'Review a file',
      description: 'Asks for a review.',
      arguments: [
        { name: 'file', title: 'file', description: 'Its path', isRequired: true },
        { name: 'focus', title: 'focus', description: '', isRequired: false },
      ],
    },
    { name: 'greet', title: 'greet', description: '', arguments: [] },
  ])
  expect(await opened.servers.fillPrompt(id, 'review', { file: 'a.ts' })).toBe(
    'Review a.ts for bugs.\n\n[image, image/png, 3 bytes; not shown]',
  )
  const missing = opened.servers.fillPrompt(id, 'review', { file: 'missing' })
  await expect(missing).rejects.toThrow('There is no such file.')
})

test('a prompt is cut to its limit, and a list that is too long gives none', async () => {
  const opened = await openServers()
  const long = await addApproved(opened, 'long-prompt')
  const text = await opened.servers.fillPrompt(long.id, 'review', { file: 'a.ts' })
  expect(text).toHaveLength(50_000)
  const many = await addApproved(opened, 'many-prompts', 'Many')
  await expect(opened.servers.prompts(many.id)).rejects.toThrow('201 prompts')
})

test('a server without consent, or one that is off, is not asked for prompts', async () => {
  const opened = await openServers()
  const added = await opened.servers.add(scripted(opened))
  await expect(opened.servers.prompts(added.id)).rejects.toThrow('needs your consent')
  expect(existsSync(opened.log)).toBe(false)
  await opened.servers.consent(added.id, added.identity)
  await opened.servers.setOn(added.id, false)
  await expect(opened.servers.prompts(added.id)).rejects.toThrow('is off')
})
