import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'

/** Makes a Node report version 20; a Node that it starts reports its real version. */
const asNode20 = [
  '--import',
  `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } })`,
]

test('runs under the project’s Node when its own is too old', async () => {
  const { runProcess } = newModelport()
  const listed = await runProcess(['router', 'list', '--json'], { nodeArgs: asNode20 })
  expect(listed.code).toBe(0)
  expect(JSON.parse(listed.stdout)).toMatchObject({ name: 'Local' })
  const unknown = await runProcess(['router', 'show', 'none'], { nodeArgs: asNode20 })
  expect(unknown.code).toBe(1)
})

test('forwards SIGTERM to the project’s Node', async () => {
  const { serve } = newModelport()
  const service = await serve({ nodeArgs: asNode20 })
  expect(service.pid).not.toBe(service.child.pid)
  service.child.kill('SIGTERM')
  expect((await service.exited).code).toBe(0)
  expect(() => process.kill(service.pid, 0)).toThrow('ESRCH')
})

test('forwards stdin to the project’s Node', async () => {
  const { runProcess } = newModelport()
  const add = ['provider', 'add', 'openai', '--type', 'openai', '--key-stdin']
  const env = { MODELPORT_VAULT_PASSPHRASE: 'correct horse battery staple' }
  const added = await runProcess(add, { nodeArgs: asNode20, stdin: 'sk-x\n', env })
  expect(added).toMatchObject({ code: 0, stdout: 'Added openai.\n' })
})

test('a reader that closes the pipe does not end the command', async () => {
  const { start, json, dataDir } = newModelport()
  const create = ['router', 'create', '--name', 'Unread', '--strategy', 'priority']
  const models = ['--models', 'local:smollm2-135m-instruct', '--data-dir', dataDir]
  const { child, exited } = start([...create, ...models])
  child.stdout.destroy()

  expect(await exited).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await json('router', 'list')).toMatchObject([{ name: 'Local' }, { name: 'Unread' }])
})

test('says in one sentence what it needs when the project’s Node is missing', async () => {
  const project = temporaryFolder()
  const binaryFile = join(project, 'bin', 'modelport.mjs')
  mkdirSync(join(project, 'bin'))
  copyFileSync(fileURLToPath(new URL('../../../bin/modelport.mjs', import.meta.url)), binaryFile)
  const ran = await newModelport().runProcess(['serve'], { nodeArgs: asNode20, binaryFile })
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(ran.stderr).toMatch(/^modelport needs Node 22\.12 or newer \(this is 20\.11\.0\): .*\n$/)
})

test('keeps compiled code in the user’s cache folder, and runs without one', async () => {
  const { runProcess, dataDir } = newModelport()
  const cacheDir = join(dataDir, 'cache')
  const blocked = join(dataDir, 'blocked')
  writeFileSync(blocked, '')
  const helpWith = async (folder: string) => {
    const env = { NODE_COMPILE_CACHE: '', MODELPORT_CACHE_DIR: folder }
    return await runProcess(['--help'], { env })
  }

  const first = await helpWith(cacheDir)
  const withoutFolder = await helpWith(join(blocked, 'cache'))

  expect(readdirSync(join(cacheDir, 'compiled'))).toEqual([expect.stringMatching(/^v\d+/)])
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(withoutFolder).toEqual(first)
})
