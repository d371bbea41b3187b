/** Snippets as `modelport connect` prints them, run literally against a running service. */
import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { checkout } from '../../src/service/connect/tools/modelport-sdk.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
let running: TestService
let folder: string

const atEnd = endOfGroup()
beforeAll(async () => {
  running = await startTestService({}, atEnd)
  folder = temporaryFolder(atEnd)
  mkdirSync(join(folder, 'home'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
})

async function snippetsOf(toolId: string) {
  const { connect } = running.service.dashboard
  const { snippets } = await connect.connect({ toolId, routerId: running.routerId })
  return snippets
}

/** The commands in a shell of their own, whose environment has nothing of ours. */
async function inShell(commands: string): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: join(folder, 'home') }
  return (await run('sh', ['-c', commands], { cwd: folder, env })).stdout
}

test('curl: the commands print an answer', async () => {
  const snippets = await snippetsOf('curl')
  const answer = await inShell(snippets.map(({ text }) => text).join('\n'))
  expect(JSON.parse(answer)).toMatchObject({
    choices: [{ message: { content: 'Hello from the fake provider.' } }],
    _meta: { modelUsed: 'fake:fake-model' },
  })
})

test('modelport-js: the commands install the SDK from the checkout, and the program prints an answer', async () => {
  const [installation, environment, program] = await snippetsOf('modelport-js')
  const project = join(folder, 'project')
  mkdirSync(project)
  // Its peer, which npm would take from the registry.
  const dependencies = { openai: `file:${join(root, 'node_modules/openai')}` }
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, dependencies }))
  writeFileSync(join(project, 'ask.mjs'), program?.text ?? '')
  const install = installation?.text.replace(checkout, root) ?? ''
  // The SDK finds the certificate in the data folder of its user.
  mkdirSync(join(folder, 'home', '.config'))
  symlinkSync(running.dataDir, join(folder, 'home', '.config', 'Modelport'))
  // A build in the middle of this would take files from other tests of the SDK.
  const options = 'export npm_config_offline=true npm_config_ignore_scripts=true'
  const printed = await inShell(
    `cd project && ${options}\n${install}\n${environment?.text}\n'${process.execPath}' ask.mjs`,
  )
  expect(printed).toContain('Hello from the fake provider.')
  expect(printed).toContain("modelUsed: 'fake:fake-model'")
})

test.each(['openai-js', 'anthropic-js'])('%s: the program prints an answer', async (toolId) => {
  const [environment, program] = await snippetsOf(toolId)
  writeFileSync(join(folder, `${toolId}.mjs`), program?.text ?? '')
  const node = `'${process.execPath}'`
  const printed = await inShell(`${environment?.text}\n${node} ${toolId}.mjs`)
  expect(printed).toContain('Hello from the fake provider.')
  expect(printed).toContain("modelUsed: 'fake:fake-model'")
})
