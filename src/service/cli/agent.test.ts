/** Agents on the command line, and the state of a run after a crash. */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, fetch } from 'undici'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { startFakeProvider, type FakeModelScript } from '../../../test/fake-provider.ts'

// Processes take their time on a busy computer.
vi.setConfig({ testTimeout: 90_000 })

type Modelport = ReturnType<typeof newModelport>

const source = `# Two steps.
name: two-steps
steps:
  - id: first
    type: prompt
    user: 'one {{ input }}'
  - id: second
    type: prompt
    needs: [first]
    user: 'two {{ steps.first.output }}'
`

const echo: FakeModelScript = ({ body }) => {
  const messages = body?.['messages'] as { content: string }[] | undefined
  return { text: `<${messages?.at(-1)?.content ?? ''}>` }
}

/** A router of one model of a fake provider. */
async function addRouter({ json }: Modelport, script: FakeModelScript) {
  const fake = await startFakeProvider({ tls: false, models: { m: script } })
  onTestFinished(() => fake.close())
  await json('provider', 'add', 'mine', '--type', 'openai-compatible', '--base-url', fake.url)
  const figures = ['--input-usd-per-mtok', '1', '--output-usd-per-mtok', '2', '--context', '8000']
  await json('model', 'add', 'mine:m', ...figures)
  const named = ['--name', 'Mine', '--strategy', 'priority', '--models', 'mine:m']
  const [router] = await json('router', 'create', ...named)
  return { fake, routerId: String(router?.['id']) }
}

function write({ dataDir }: Modelport, text: string, name = 'agent.yaml'): string {
  const file = join(dataDir, name)
  writeFileSync(file, text)
  return file
}

test('applies versions of an agent, lists, shows and removes it', async () => {
  const modelport = newModelport()
  const { json, run } = modelport
  const changed = source.replace('Two steps', 'Two steps, changed')

  expect(await json('agent', 'apply', write(modelport, source))).toEqual([
    { slug: 'two-steps', version: 1 },
  ])
  expect(await json('agent', 'apply', write(modelport, source))).toMatchObject([{ version: 1 }])
  expect(await json('agent', 'apply', write(modelport, changed))).toMatchObject([{ version: 2 }])
  expect(await json('agent', 'list')).toMatchObject([{ slug: 'two-steps', version: 2 }])
  expect((await run(['agent', 'show', 'two-steps'])).stdout).toBe(changed)
  expect((await run(['agent', 'show', 'two-steps', '--version', '1'])).stdout).toBe(source)
  await json('agent', 'remove', 'two-steps')
  expect(await json('agent', 'list')).toEqual([])
  expect((await run(['agent', 'remove', 'two-steps'])).code).toBe(1)
})

test('an invalid file exits 2 with one line for each problem', async () => {
  const modelport = newModelport()
  const wrong = source.replace('[first]', '[frist]').replace('{{ input }}', '{{ inptu }}')

  const { code, stderr } = await modelport.run(['agent', 'apply', write(modelport, wrong)])

  expect(code).toBe(2)
  expect(stderr).toMatch(/line 9, column \d+, steps\[1\]\.needs\[0\]: there is no step "frist"/)
  expect(stderr).toMatch(/line 6, column 5, steps\[0\]\.user: there is no variable "inptu"/)
})

test('an agent that others call cannot be removed or made to call them', async () => {
  const modelport = newModelport()
  const caller = 'name: caller\nsteps: [{ id: call, type: agent, agent: two-steps }]\n'
  const { code, stderr } = await modelport.run(['agent', 'apply', write(modelport, caller)])
  expect(code).toBe(2)
  expect(stderr).toContain('steps[0].agent: there is no agent "two-steps"')

  await modelport.json('agent', 'apply', write(modelport, source))
  await modelport.json('agent', 'apply', write(modelport, caller))
  const removed = await modelport.run(['agent', 'remove', 'two-steps'])
  expect(removed.stderr).toContain('agent:caller calls this agent')
  const cycle = `${source}  - { id: call, type: agent, agent: caller, needs: [second] }\n`
  const applied = await modelport.run(['agent', 'apply', write(modelport, cycle)])
  expect(applied.stderr).toContain('in a cycle: two-steps → caller → two-steps')
})

test('an agent cannot be changed so that one that calls it would no longer run', async () => {
  const modelport = newModelport()
  const calling = (name: string, agent: string) =>
    write(modelport, `name: ${name}\nsteps: [{ id: call, type: agent, agent: ${agent} }]\n`)
  const text = (name: string) =>
    write(modelport, `name: ${name}\nsteps: [{ id: t, type: text, text: x }]\n`)
  for (const name of ['f', 'e']) await modelport.json('agent', 'apply', text(name))
  await modelport.json('agent', 'apply', calling('d', 'e'))
  await modelport.json('agent', 'apply', calling('c', 'd'))
  await modelport.json('agent', 'apply', calling('b', 'c'))
  await modelport.json('agent', 'apply', calling('a', 'b'))

  const { code, stderr } = await modelport.run(['agent', 'apply', calling('e', 'f')])

  expect(code).toBe(2)
  expect(stderr).toContain(
    'agent:a would no longer run: agents can call agents at most 5 levels deep: a → b → c → d → e → f',
  )
  expect(await modelport.json('agent', 'list')).toContainEqual(
    expect.objectContaining({ slug: 'e', version: 1 }),
  )
})

test('a run prints the answer, and its steps are in the ledger without a key', async () => {
  const modelport = newModelport()
  const { json, run } = modelport
  const { routerId } = await addRouter(modelport, echo)
  await json('agent', 'apply', write(modelport, source))

  const options = ['--router', routerId, '--input', 'Hello']
  const { stdout, stderr } = await run(['agent', 'run', 'two-steps', ...options])

  expect(stdout).toBe('<two <one Hello>>\n')
  expect(stderr).toContain('second: mine:m, $')
  const rows = await json('requests')
  expect(rows).toMatchObject([
    { stepId: 'second', apiKeyId: null, source: 'chat' },
    { stepId: 'first', executionId: rows[0]?.['executionId'] },
  ])
  expect(await json('agent', 'show', 'two-steps', '--runs', '5')).toMatchObject([
    { id: rows[0]?.['executionId'], state: 'done', steps: 2, models: ['mine:m'] },
  ])
})

test('export contains agents with their source, and import restores them', async () => {
  const modelport = newModelport()
  await modelport.json('agent', 'apply', write(modelport, source))
  const { stdout } = await modelport.run(['export', '-'])
  const other = newModelport()
  const file = write(other, stdout, 'export.json')

  expect(JSON.parse(stdout)).toMatchObject({ agents: [{ id: 'two-steps', source }] })
  expect(await other.json('import', file, '--yes')).toContainEqual(
    expect.objectContaining({ change: 'added', kind: 'agent', id: 'two-steps' }),
  )
  expect((await other.run(['agent', 'show', 'two-steps'])).stdout).toBe(source)
  const broken = stdout.replace('{{ input }}', '{{ inptu }}')
  const refused = await other.run(['import', write(other, broken, 'broken.json'), '--yes'])
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('agents.0.source: two-steps: line 6')
})

test('an execution ended by a kill is shown as interrupted, with the cost of its finished steps', async () => {
  const modelport = newModelport()
  const { json, serve } = modelport
  const { fake, routerId } = await addRouter(modelport, (_request, nth) =>
    nth === 1 ? { text: 'x' } : { firstByteDelayMs: 60_000 },
  )
  await json('agent', 'apply', write(modelport, source))
  const [key] = await json('key', 'create', '--name', 'Server', '--routers', 'all')
  const running = await serve()
  const { url, caFile } = running
  const dispatcher = new Agent({ connect: { ca: readFileSync(caFile, 'utf8') } })
  onTestFinished(() => dispatcher.destroy())
  const asked = fetch(`${url}/api/router/${routerId}/v1/chat/completions`, {
    method: 'POST',
    dispatcher,
    headers: {
      authorization: `Bearer ${String(key?.['key'])}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model: 'agent:two-steps', messages: [{ role: 'user', content: 'Hi' }] }),
  }).catch(() => null)
  await expect.poll(() => fake.requestCount()).toBe(2)
  // A row waits a few milliseconds for others before it is written.
  await expect.poll(async () => (await json('requests')).length).toBe(1)
  const runs = ['agent', 'show', 'two-steps', '--runs', '1']
  expect(await json(...runs)).toMatchObject([{ state: 'running', costNanoUsd: 0 }])
  running.child.kill('SIGKILL')
  await once(running.child, 'close')
  await asked

  const again = await serve()
  const [row] = await json('requests')
  expect(row?.['costNanoUsd']).toBeGreaterThan(0)
  // After its lease has expired.
  await expect
    .poll(() => json(...runs))
    .toMatchObject([
      {
        id: row?.['executionId'],
        state: 'interrupted',
        steps: 1,
        costNanoUsd: row?.['costNanoUsd'],
        models: ['mine:m'],
      },
    ])
  expect(fake.requestCount()).toBe(2)
  again.child.kill('SIGTERM')
})
