/** Servers start, answer and stop; nothing runs that the user did not see. */
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { McpServers, UsableTool } from '../../src/service/mcp/servers.ts'
import { addApproved, openServers } from './open-servers.ts'
import { scripted } from './scripted-server.ts'
import { isRunning } from '../is-running.ts'

const signal = new AbortController().signal
const linesOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
const startsOf = (file: string) => linesOf(file).filter((line) => line.startsWith('started'))

async function toolOf(servers: McpServers, name: string): Promise<UsableTool> {
  const tool = (await servers.usableTools()).find(({ definition }) => definition.name === name)
  if (!tool) throw new Error(`${name} is not usable`)
  return tool
}

test('adding a server starts nothing; a consent to what is shown does', async () => {
  const { servers, log, ...opened } = await openServers()
  const added = await servers.add(scripted({ log, ...opened }))
  await servers.refresh(added.id)
  expect([startsOf(log), added.hasConsent, added.resolved]).toEqual([[], false, process.execPath])

  await expect(servers.consent(added.id, 'f'.repeat(64))).rejects.toThrow('has changed')
  expect(startsOf(log)).toEqual([])

  const listed = await servers.consent(added.id, added.identity)
  expect(listed).toMatchObject({ hasConsent: true, state: 'running', problem: null })
  expect(
    listed.tools.map(({ name, state, permission }) => [name, state, permission]),
  ).toContainEqual(['echo', 'new', 'ask'])
  expect(await servers.usableTools()).toEqual([])
})

test('a tool that was looked at is called, and its server starts on first need', async () => {
  const opened = await openServers({ idleMs: 50 })
  const { servers, log } = opened
  const { id } = await addApproved(opened)
  await expect.poll(async () => (await servers.list())[0]?.state).toBe('stopped')
  const before = startsOf(log).length

  const answer = await servers.callTool(
    await toolOf(servers, 'echo'),
    { text: 'Hello' },
    { signal },
  )

  expect(answer).toEqual({ outcome: 'done', text: 'Hello' })
  expect(startsOf(log).length).toBe(before + 1)
  const [pid] = startsOf(log)
    .slice(-1)
    .map((line) => Number(line.split(' ')[1]))
  await expect.poll(() => isRunning(pid ?? 0)).toBe(false)
  expect(id).toMatch(/^mcp-/)
})

test('an old server that ends at an unknown message is started again in its protocol', async () => {
  const opened = await openServers()
  expect(await addApproved(opened, 'old')).toMatchObject({ state: 'running', problem: null })
})

test('a server gets no variables but those it needs, and its own values', async () => {
  const opened = await openServers({
    env: { ...process.env, SHELL: undefined, OPENAI_API_KEY: 'sk' },
  })
  const { servers } = opened
  const entered = scripted(opened)
  const config = { ...entered.config, secretNames: ['TOKEN'] }
  const added = await servers.add({ ...entered, config, secrets: { TOKEN: 't'.repeat(5_000) } })
  const { tools } = await servers.consent(added.id, added.identity)
  await servers.approve(added.id, Object.fromEntries(tools.map(({ name, seal }) => [name, seal])))

  const { text } = await servers.callTool(await toolOf(servers, 'environment'), {}, { signal })

  expect(text.split(' ')).toEqual(expect.arrayContaining(['TOKEN', 'PATH']))
  expect(text).not.toContain('OPENAI_API_KEY')
})

test('the values of variables are in no file of the data folder', async () => {
  const opened = await openServers()
  const entered = scripted(opened)
  const config = { ...entered.config, secretNames: ['TOKEN'] }
  await opened.servers.add({ ...entered, config, secrets: { TOKEN: 'a-secret-value' } })
  const { readdirSync } = await import('node:fs')
  const files = readdirSync(opened.dataDir, { recursive: true, withFileTypes: true })
  for (const file of files.filter((one) => one.isFile())) {
    expect(readFileSync(`${file.parentPath}/${file.name}`).includes('a-secret-value')).toBe(false)
  }
})

test('a database from elsewhere starts nothing', async () => {
  const opened = await openServers()
  await addApproved(opened)
  const starts = startsOf(opened.log).length
  const { servers: elsewhere } = await openServers({ store: opened.store })

  const [server] = await elsewhere.list()
  await elsewhere.refresh(server?.id ?? '')

  expect(server).toMatchObject({ hasConsent: false, tools: expect.any(Array) })
  expect([await elsewhere.usableTools(), startsOf(opened.log).length]).toEqual([[], starts])
})

test('removing a server stops it with what it started', async () => {
  const opened = await openServers()
  const { servers, log } = opened
  const { id } = await addApproved(opened, 'children')
  const { text } = await servers.callTool(await toolOf(servers, 'echo'), {}, { signal })
  const child = Number(text)
  expect(isRunning(child)).toBe(true)

  await servers.remove(id)

  await expect.poll(() => isRunning(child)).toBe(false)
  expect([await servers.list(), startsOf(log).length]).toEqual([[], 1])
})

test('removing a server takes its consent back, and that alone', async () => {
  const opened = await openServers()
  const { id } = await addApproved(opened, 'none', 'One')
  const other = await addApproved(opened, 'none', 'Two')
  await opened.servers.remove(id)
  const file = JSON.parse(readFileSync(`${opened.dataDir}/mcp-consents.json`, 'utf8')) as object
  expect(file).toEqual({ [other.id]: other.identity })
})

test('a server that ignores the end is killed', async () => {
  const opened = await openServers()
  const { id } = await addApproved(opened, 'deaf')
  const [pid] = startsOf(opened.log).map((line) => Number(line.split(' ')[1]))
  await opened.servers.remove(id)
  await expect.poll(() => isRunning(pid ?? 0)).toBe(false)
})

test('a stop ends a call, and says that it may have run', async () => {
  const opened = await openServers()
  await addApproved(opened, 'silent')
  const controller = new AbortController()
  const called = opened.servers.callTool(
    await toolOf(opened.servers, 'write'),
    { text: 'a' },
    { signal: controller.signal },
  )
  await expect.poll(() => linesOf(opened.log)).toContain('"a"')
  controller.abort()
  expect(await called).toMatchObject({ outcome: 'stopped' })
})

test('a call whose server ends is not repeated', async () => {
  const opened = await openServers()
  await addApproved(opened, 'exits')
  const answer = await opened.servers.callTool(
    await toolOf(opened.servers, 'write'),
    { text: 'a' },
    { signal },
  )
  await wait(200)
  expect(answer.outcome).toBe('unknown')
  expect(linesOf(opened.log).filter((line) => line === '"a"')).toHaveLength(1)
})
