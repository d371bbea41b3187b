/** Tuning on the command line, and a run whose process is killed. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import {
  startFakeProvider,
  type FakeModelScript,
  type FakeProvider,
} from '../../../test/fake-provider.ts'

// Processes take their time on a busy computer.
vi.setConfig({ testTimeout: 120_000 })

type Modelport = ReturnType<typeof newModelport>

const figures = ['--input-usd-per-mtok', '1', '--output-usd-per-mtok', '2', '--context', '8000']
const words = ['tides', 'bridges', 'verbs', 'taxes', 'violins', 'glaciers', 'bread', 'comets']

/** Prompt 7 of different words asks for `right 7`. */
function promptLine(index: number): string {
  const chosen = words.filter((_word, bit) => ((index + 1) >> bit) & 1).join(' and ')
  const prompt = `Question [${index}] about ${chosen}: what is the right word?`
  return JSON.stringify({ prompt, check: { type: 'exact', expected: [`right ${index}`] } })
}

function indexOf(body: unknown): number {
  return Number(/\[(\d+)\]/.exec(JSON.stringify(body))?.[1])
}

const good: FakeModelScript = ({ body }) => ({ text: `right ${indexOf(body)}` })
const poor: FakeModelScript = ({ body }) => ({
  text: indexOf(body) % 5 === 0 ? `right ${indexOf(body)}` : 'wrong',
})

async function addRouter({ json }: Modelport, models: Readonly<Record<string, FakeModelScript>>) {
  const fake = await startFakeProvider({ tls: false, models })
  onTestFinished(() => fake.close())
  await json('provider', 'add', 'mine', '--type', 'openai-compatible', '--base-url', fake.url)
  const ids = Object.keys(models).map((name) => `mine:${name}`)
  for (const id of ids) await json('model', 'add', id, ...figures)
  const named = ['--name', 'Everyday', '--strategy', 'cost_optimized', '--models', ids.join(',')]
  const [router] = await json('router', 'create', ...named)
  return { fake, routerId: String(router?.['id']) }
}

function write({ dataDir }: Modelport, text: string): string {
  const file = join(dataDir, 'prompts.jsonl')
  writeFileSync(file, text)
  return file
}

function promptFile(modelport: Modelport, count: number): string {
  return write(modelport, Array.from({ length: count }, (_item, at) => promptLine(at)).join('\n'))
}

test('shows the plan, asks, prints the result, and forgets', async () => {
  const modelport = newModelport()
  const { fake, routerId } = await addRouter(modelport, { good, poor })
  const tune = ['tune', '--router', routerId, '--prompts', promptFile(modelport, 20)]

  const [plan] = await modelport.json(...tune)
  expect(plan).toMatchObject({ models: ['mine:good', 'mine:poor'], prompts: { chosen: 20 } })
  expect(fake.requestCount()).toBe(0)

  const ran = await modelport.run([...tune, '--cap', '0.5'], { stdin: 'y\n' })
  expect(ran.code).toBe(0)
  expect(ran.stderr).toContain('Spend at most $0.50? [y/N]')
  expect(ran.stdout).toMatch(/^mine:good +20 +100 \(/m)
  expect(ran.stdout).toMatch(/^mine:poor +20 +20 \(/m)
  expect(ran.stdout).toMatch(/With this, Everyday would have sent \d+ % to mine:(good|poor)/)
  expect(ran.stdout).toMatch(/expected quality (±0|[+−]\d+) of 100\.\n/)
  expect(fake.requestCount()).toBe(40)

  const [run] = await modelport.json('tune', 'list')
  expect(run).toMatchObject({ state: 'done', prompts: { graded: 20 } })
  expect(await modelport.json('tune', 'status')).toEqual([run])
  expect(await modelport.json('tune', 'result')).toMatchObject([{ run: { id: run?.['id'] } }])

  const applied = await modelport.json('tune', 'apply', '--to', 'router')
  expect(applied).toEqual([{ id: run?.['id'], appliesTo: 'router' }])
  expect(await modelport.json('tune', 'status')).toMatchObject([{ appliesTo: 'router' }])
  const none = await modelport.run(['tune', 'apply', String(run?.['id']), '--to', 'none'])
  expect(none.stdout).toMatch(/^No router learns from the run /)
  expect((await modelport.run(['tune', 'list'])).stdout).toMatch(/ none +done /)
  const unknown = await modelport.run(['tune', 'apply', '--to', 'everyone'])
  expect(unknown).toMatchObject({ code: 2 })
  expect(unknown.stderr).toContain('all, router, none')

  const exported = await modelport.json('tune', 'export')
  expect(exported).toHaveLength(20)
  expect(JSON.stringify(exported)).not.toMatch(/right|Question|tides/)
  await modelport.json('tune', 'forget', String(run?.['id']), '--yes')
  expect(await modelport.json('tune', 'list')).toEqual([])
})

test('does not start without confirmation, a cap that is too small, or consent', async () => {
  const modelport = newModelport()
  const { fake, routerId } = await addRouter(modelport, { good })
  const tune = ['tune', '--router', routerId, '--prompts', promptFile(modelport, 12)]

  expect(await modelport.run([...tune, '--cap', '1'], { stdin: 'n\n' })).toMatchObject({ code: 1 })
  const small = await modelport.run([...tune, '--cap', '0.000001', '--yes'])
  expect(small).toMatchObject({ code: 2 })
  expect(small.stderr).toMatch(/capUsd: A single prompt can cost \$/)
  const unasked = await modelport.run(['tune', '--router', routerId, '--prompts', 'conversations'])
  expect(unasked).toMatchObject({ code: 2 })
  expect(unasked.stderr).toContain('Add --consent to agree')
  expect(fake.requestCount()).toBe(0)
})

test('an invalid file exits 2 with a line for each problem', async () => {
  const modelport = newModelport()
  const { routerId } = await addRouter(modelport, { good })
  const lines = [
    promptLine(0),
    '{"prompt": 5}',
    '{"prompt"',
    '{"prompt": "x", "check": {"type": "number"}}',
  ]
  const file = write(modelport, lines.join('\n'))

  const { code, stderr } = await modelport.run(['tune', '--router', routerId, '--prompts', file])

  expect(code).toBe(2)
  expect(stderr).toContain('prompts.jsonl:2: prompt: Enter a text')
  expect(stderr).toMatch(/prompts\.jsonl:3: This is not JSON/)
  expect(stderr).toContain('prompts.jsonl:4: check.expected: This field is required')
})

/** What each request asked: model and prompt. */
function asked({ requests }: FakeProvider): string[] {
  return requests.map(({ model, body }) => `${model} ${indexOf(body)}`)
}

async function until(isReached: () => boolean): Promise<void> {
  await vi.waitUntil(isReached, { timeout: 60_000, interval: 20 })
}

test('after kill -9 a run resumes without asking anything twice', async () => {
  const modelport = newModelport()
  const slow = (script: FakeModelScript): FakeModelScript => {
    return async (request, nth) => ({
      ...(typeof script === 'function' ? await script(request, nth) : script),
      firstByteDelayMs: 100,
    })
  }
  const { fake, routerId } = await addRouter(modelport, { good: slow(good), poor: slow(poor) })
  const file = promptFile(modelport, 30)
  const tune = ['tune', '--router', routerId, '--prompts', file, '--cap', '5', '--yes']
  const started = modelport.start([...tune, '--data-dir', modelport.dataDir])
  await until(() => fake.requestCount() >= 25)
  started.child.kill('SIGKILL')
  await started.exited
  const before = asked(fake).length
  const cutOff = fake.requests.filter(({ abortedAtMs }) => abortedAtMs !== null).length

  const resumed = await vi.waitFor(
    async () => {
      const [status] = await modelport.json('tune', 'status')
      expect(status).toMatchObject({ state: 'interrupted' })
      return await modelport.json('tune', 'resume')
    },
    { timeout: 60_000, interval: 500 },
  )

  expect(before).toBeLessThan(60)
  const all = asked(fake)
  expect(all.filter((one, at) => all.indexOf(one) !== at)).toEqual([])
  const [{ run }] = resumed as [{ run: { requests: { lost: number; answered: number } } }]
  // A request that was reserved but had not arrived yet is lost, too.
  expect(all.length).toBeGreaterThanOrEqual(60 - (run.requests.lost - cutOff))
  expect(run).toMatchObject({ state: 'done', capUsd: 5, reservedUsd: 0 })
  expect(run.requests.lost).toBeGreaterThanOrEqual(cutOff)
  expect(run.requests.lost).toBeGreaterThan(0)
  expect(run.requests.answered + run.requests.lost).toBe(60)
})

test('a run is stopped from another process, and continues where it was', async () => {
  const modelport = newModelport()
  // Not all are answered before the command that stops the run has started, however long it takes.
  let delayMs = 3_000
  const slow: FakeModelScript = ({ body }) => ({
    text: `right ${indexOf(body)}`,
    firstByteDelayMs: delayMs,
  })
  const { fake, routerId } = await addRouter(modelport, { slow })
  const tune = ['tune', '--router', routerId, '--prompts', promptFile(modelport, 60)]
  const started = modelport.start([...tune, '--cap', '5', '--yes', '--data-dir', modelport.dataDir])
  await until(() => fake.requestCount() >= 4)
  await modelport.json('tune', 'stop')
  expect(await started.exited).toMatchObject({ code: 0 })
  const [stopped] = await modelport.json('tune', 'status')
  expect(stopped).toMatchObject({ state: 'stopped', stoppedBy: 'user', reservedUsd: 0 })
  expect(fake.requestCount()).toBeLessThan(60)

  delayMs = 0
  const [{ run }] = (await modelport.json('tune', 'resume')) as [{ run: object }]
  expect(run).toMatchObject({ prompts: { graded: 60 }, requests: { answered: 60, lost: 0 } })
  expect(fake.requestCount()).toBe(60)
})
