/** Files that cannot be used: each command names the path, the problem and a solution, without a stack trace. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'

const junk = 'this is not a lock file '.repeat(10)

test.each<[string, string, (path: string) => Promise<unknown>, string]>([
  ['a damaged lock', 'service.lock', (path) => writeFile(path, junk), 'is damaged. Delete it'],
  ['a folder as lock', 'service.lock', (path) => mkdir(path), 'cannot open or change'],
  ['a file as folder of logs', 'logs', (path) => writeFile(path, ''), 'needs a folder there'],
  [
    'a folder as certificate',
    join('tls', 'server.pem'),
    (path) => mkdir(path, { recursive: true }),
    'needs a file there',
  ],
])('serve names %s and says what to do', async (_what, name, spoil, words) => {
  const { dataDir, run } = newModelport()
  const path = join(dataDir, name)
  await spoil(path)

  const { code, stdout, stderr } = await run(['serve', '--port', '0'])

  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(path)
  expect(stderr).toContain(words)
  expect(stderr).not.toContain('    at ')
})

test('serve names a data folder that cannot be created', async () => {
  const { dataDir, start } = newModelport()
  const file = join(dataDir, 'file')
  await writeFile(file, '')

  const folder = join(file, 'data')
  const { code, stderr } = await start(['serve', '--data-dir', folder]).exited

  expect(code).toBe(1)
  expect(stderr).toContain(`${folder} cannot be created`)
  expect(stderr).not.toContain('    at ')
})

test.each([[['key', 'list']], [['doctor']]])(
  '%j names a database that cannot be opened and says what to do',
  async (args) => {
    const { dataDir, run } = newModelport()
    await mkdir(join(dataDir, 'modelport.db'))

    const { code, stdout, stderr } = await run(args)

    expect(code).toBe(1)
    expect(stdout + stderr).toContain(
      `Modelport cannot open or change ${join(dataDir, 'modelport.db')}. Check that your user may`,
    )
    expect(stderr).not.toContain('    at ')
  },
)

test('doctor reports a damaged lock and continues with the other checks', async () => {
  const { dataDir, run } = newModelport()
  await writeFile(join(dataDir, 'service.lock'), junk)

  const { code, stdout, stderr } = await run(['doctor'])

  expect(code).toBe(1)
  expect(stdout).toMatch(/fail +lock +.*service\.lock is damaged/)
  expect(stdout).toMatch(/ok +disk/)
  expect(stderr).not.toContain('    at ')
})
