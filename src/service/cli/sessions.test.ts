import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { sampleDetail, sampleSessionRequest } from '../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import type { RequestRecord } from '../../shared/entities.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'

async function folderWith(rows: readonly RequestRecord[]): Promise<string> {
  const dataDir = temporaryFolder()
  const storage = await openStorage({ dataDir })
  await Promise.all(rows.map((row) => storage.ledger.append(row, sampleDetail())))
  await storage.close()
  return dataDir
}

const broken = {
  expected: 9_000,
  read: 0,
  lostNanoUsd: 40_000,
  culprit: 'client',
  place: { part: 'tools', change: 'reordered' },
} as const

const rows = [
  sampleSessionRequest({ startsTurn: true }, { id: 'a', startedAtMs: 1_000 }),
  sampleSessionRequest(
    { kind: 'subagent', agentType: 'Explore', cache: broken, class: 'edit', tools: ['Edit'] },
    { id: 'b', startedAtMs: 2_000, agentId: 'agent-1' },
  ),
  sampleSessionRequest(
    { kind: 'title', class: null, costs: { read: 0, written: 0, uncached: 3, output: 4 } },
    { id: 'c', startedAtMs: 3_000, costNanoUsd: 10 },
  ),
]

test('sessions are listed, and each is shown with its costs, agents and steps', async () => {
  const { json, run } = newModelport(await folderWith(rows))

  expect(await json('sessions')).toMatchObject([
    { id: 'session-1', client: 'claude-code', steps: 2, turns: 1, subagents: 1, broken: 1 },
  ])
  const { stdout: list } = await run(['sessions', '--limit', '5'])
  expect(list).toMatch(/session-1 +claude-code 2\.1\.330 .* 89 % +1 +0 +openai:gpt-5/)

  expect(await json('sessions', 'show', 'session-1')).toMatchObject([
    {
      costNanoUsd: 2_250,
      costs: { read: 360, written: 1_000, uncached: 83, output: 804, other: 3 },
      lostNanoUsd: 40_000,
      byKind: { main: 1_120, subagent: 1_120, title: 10 },
      byClass: { explore: 1_120, edit: 1_120 },
      agents: [
        { id: null, steps: 1 },
        { id: 'agent-1', type: 'Explore', steps: 1 },
      ],
    },
  ])
  const { stdout } = await run(['sessions', 'show', 'session-1'])
  expect(stdout).toContain('Cost: $0.000002: read $0.000000')
  expect(stdout).toMatch(/^ {2}agent-1 +Explore +1/m)
  expect(stdout).toMatch(
    /^2 +1 +agent-1 +subagent +edit +Edit +cache broken +openai:gpt-5 +The only one/m,
  )
})

test('sessions rules says how many sessions are missing before it can tell', async () => {
  const { run } = newModelport(await folderWith(rows))

  const { code, stdout } = await run(['sessions', 'rules'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/SESSIONS/) })
})

test('sessions cache says which steps lost their cache, and who broke it', async () => {
  const { json, run } = newModelport(await folderWith(rows))

  expect(await json('sessions', 'cache', 'session-1')).toMatchObject([
    { eligible: 1, lostNanoUsd: 40_000, broken: [{ record: { id: 'b' } }] },
  ])
  const { stdout } = await run(['sessions', 'cache', 'session-1'])
  expect(stdout).toContain('1 of 1 steps that could be judged read less than they should')
  expect(stdout).toContain('The client changed the order of the tools.')
})

test('a session that is not stored is an error', async () => {
  const { run } = newModelport()

  expect(await run(['sessions', 'show', 'none'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no session none.'),
  })
})

test('a session is exported as numbers, and deleted with a question', async () => {
  const { json, run } = newModelport(await folderWith(rows))

  const [file] = await json('sessions', 'export', 'session-1')
  expect(file).toMatchObject({
    client: 'claude-code',
    costNanoUsd: 2_250,
    steps: [
      { afterMs: 0, agent: 0 },
      { afterMs: 1_000, agent: 1, tools: ['Edit'] },
      { kind: 'title' },
    ],
  })
  expect(JSON.stringify(file)).not.toMatch(/session-1|agent-1|router_a|key-1/)
  const { code } = await run(['sessions', 'delete', 'session-1'], { stdin: 'n' })
  expect(code).not.toBe(0)
  expect(await json('sessions')).toHaveLength(1)
  await run(['sessions', 'delete', 'session-1', '--yes'])
  expect(await json('sessions')).toEqual([])
  expect(await json('requests')).toHaveLength(3)
})

test('a pin needs a model of the session’s router', async () => {
  const { run } = newModelport(await folderWith(rows))

  const { code, stderr } = await run(['sessions', 'pin', 'session-1', 'openai:gpt-5'])
  expect(code).not.toBe(0)
  expect(stderr).toContain('Its router has no model openai:gpt-5.')
  expect((await run(['sessions', 'unpin', 'session-1'])).stdout).toContain('The router chooses')
})

/** A folder with two models, a session of a router, and the router's options. */
async function routerWith(...options: string[]) {
  const dataDir = temporaryFolder()
  const { json, run } = newModelport(dataDir)
  const address = ['--type', 'openai-compatible', '--base-url', 'https://a.test']
  await json('provider', 'add', 'mine', ...address)
  const figures = ['--input-usd-per-mtok', '1', '--output-usd-per-mtok', '2', '--context', '8000']
  for (const id of ['mine:a', 'mine:b']) await json('model', 'add', id, ...figures)
  const models = ['--models', 'mine:a', '--strategy', 'priority']
  const [router] = await json('router', 'create', '--name', 'Code', ...models, ...options)
  const routerId = String(router?.['id'])
  const storage = await openStorage({ dataDir })
  const record = sampleSessionRequest({ arm: 'rules' }, { id: 'a', startedAtMs: 1_000, routerId })
  await storage.ledger.append(record, sampleDetail())
  await storage.close()
  return { json, run, routerId }
}

test('until sessions decide, their proof says how many are missing', async () => {
  const cap = ['--shadow-steps-model', 'mine:b', '--shadow-steps-usd', '5']
  const { json, run } = await routerWith('--split', '--shadow-steps', '0.5', ...cap)

  const { stdout } = await run(['sessions', 'proof'])
  expect(stdout).toMatch(/Not enough sessions to tell the difference in cost, [\d,]+ more/)
  expect(stdout).toMatch(/Not enough sessions to tell whether more get stuck, [\d,]+ more/)
  expect(stdout).toMatch(/mine:b also answered 0 steps of 0 sessions, for \$0\S* of \$5/)
  expect(stdout).toMatch(/Not enough sessions to tell how often it would do the same, \d+ more/)
  expect(await json('sessions', 'proof')).toMatchObject([
    { shadows: [{ model: 'mine:b', capUsd: 5, steps: 0 }] },
  ])
  const { run: other } = newModelport()
  expect((await other(['sessions', 'proof'])).stdout).toContain('No router compares its rules.')
})

test('a session’s rule sends subagents elsewhere, and is undone', async () => {
  const { json, run, routerId } = await routerWith()
  const rule = async () => (await json('router', 'show', routerId))[0]?.['routing']

  const made = await run(['sessions', 'rule', 'session-1', 'mine:b', '--type', 'Explore'])
  expect(made.stdout).toContain('Subagents of type Explore of Code go to mine:b.')
  expect(made.stdout).toContain('sessions rule session-1 off --type Explore')
  expect(await rule()).toMatchObject({ subagents: { Explore: 'mine:b' } })
  await run(['sessions', 'rule', 'session-1', 'off', '--type', 'Explore'])
  expect(await rule()).toMatchObject({ subagents: null })
  const refused = await run(['sessions', 'rule', 'session-1', 'mine:none'])
  expect(refused.stderr).toContain('There is no router and no model "mine:none".')
})
