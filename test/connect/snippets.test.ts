/** Snippets as `modelport connect` prints them, run literally against a running service. */
import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../end-of-group.ts'

const run = promisify(execFile)
let running: TestService
let folder: string

const atEnd = endOfGroup()
beforeAll(async () => {
  running = await startTestService({}, atEnd)
  folder = temporaryFolder(atEnd)
  mkdirSync(join(folder, 'home'))
  symlinkSync(join(import.meta.dirname, '..', '..', 'node_modules'), join(folder, 'node_modules'))
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

test.each(['openai-js', 'anthropic-js'])('%s: the program prints an answer', async (toolId) => {
  const [environment, program] = await snippetsOf(toolId)
  writeFileSync(join(folder, `${toolId}.mjs`), program?.text ?? '')
  const node = `'${process.execPath}'`
  const printed = await inShell(`${environment?.text}\n${node} ${toolId}.mjs`)
  expect(printed).toContain('Hello from the fake provider.')
  expect(printed).toContain("modelUsed: 'fake:fake-model'")
})
