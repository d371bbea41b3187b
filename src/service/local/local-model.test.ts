/** The built-in model with its real weights, in its real process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { findCacheDir } from '../../../scripts/setup/paths.mjs'
import type { ChatRequest, ChatUsage, FinishReason } from '../../shared/chat.ts'
import type { LocalModelState } from '../../shared/ipc.ts'
import { ProviderError } from '../providers/provider.ts'
import { forkChildProcess } from './fork-child-process.ts'
import { localModelName, type LocalModel, type ModelProcess } from './local-model.ts'
import { ModelHost, type Piece } from './model-host.ts'
import { openLocalModel, type LocalModelOptions } from './open-local-model.ts'
import { readRequest } from './read-request.ts'
import { findWeights, weights, weightsPath } from './weights.ts'

const cacheDir = findCacheDir(process.env)
const modelProcessEntry = fileURLToPath(new URL('model-process.ts', import.meta.url))
const processes: ModelProcess[] = []
let model: LocalModel

// On a computer that builds something beside it, a model slowed down tenfold still passes.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

interface Answer {
  text: string
  chunks: number
  finishReason: FinishReason | null
  usage: ChatUsage | null
}

/** For what takes milliseconds, on a computer that is busy with other things. */
const patience = { timeout: 10_000 }

const question = 'What is the capital of France?'
const longStory = { max_tokens: 400, ...user('Tell me a very long story about the sea.') }

function user(content: string): ChatRequest {
  return { messages: [{ role: 'user', content }], temperature: 0 }
}

function open(options: Partial<LocalModelOptions> = {}): Promise<LocalModel> {
  return openLocalModel({ cacheDir, file: null, fork: trackedFork, fetch: noFetch, ...options })
}

function trackedFork(entry: string): ModelProcess {
  const child = forkChildProcess(entry)
  processes.push(child)
  return child
}

function noFetch(): Promise<Response> {
  return Promise.reject(new Error('this test makes no download'))
}

async function ask(
  body: ChatRequest,
  { to = model, signal = new AbortController().signal, onText = (_text: string): void => {} } = {},
): Promise<Answer> {
  const answer: Answer = { text: '', chunks: 0, finishReason: null, usage: null }
  for await (const chunk of to.stream({ model: localModelName, body }, signal)) {
    answer.chunks++
    answer.text += chunk.choices[0]?.delta.content ?? ''
    answer.finishReason = chunk.choices[0]?.finish_reason ?? null
    answer.usage = chunk.usage
    onText(answer.text)
  }
  return answer
}

function watchStates(watched: LocalModel): LocalModelState['status'][] {
  const seen: LocalModelState['status'][] = []
  watched.onState(({ status }) => {
    if (seen.at(-1) !== status) seen.push(status)
  })
  return seen
}

function isRunning(pid: number | undefined): boolean {
  try {
    return process.kill(pid ?? NaN, 0)
  } catch {
    return false
  }
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-local-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

beforeAll(async () => {
  if ((await findWeights(cacheDir)) === null) {
    throw new Error(`no weights at ${weightsPath(cacheDir)}: npm test fetches them`)
  }
  model = await open()
})
afterEach(() => vi.useRealTimers())
afterAll(() => model.close())

test('starts its process with the first request and not before', async () => {
  expect(model.state()).toEqual({ status: 'stopped', file: weightsPath(cacheDir) })
  const states = watchStates(model)

  await ask(user(question))

  expect(states).toEqual(['loading', 'ready'])
})

test('answers in pieces, then with the reason it ended and the tokens it counted', async () => {
  const { text, chunks, finishReason, usage } = await ask(user(question))

  expect(text).toBe('The capital of France is Paris.')
  expect(chunks).toBeGreaterThan(4)
  expect(finishReason).toBe('stop')
  expect(usage).toEqual({ prompt_tokens: 28, completion_tokens: 8, total_tokens: 36 })
})

test('puts a conversation into the chat template of the model', async () => {
  const { text, usage } = await ask({
    temperature: 0,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', content: 'Yo' },
      { role: 'user', content: question },
    ],
  })

  expect(text).toBe('The capital of France is Paris.')
  expect(usage?.prompt_tokens).toBe(38)
})

test('reads special tokens in a message as the text they are', async () => {
  const plain = await ask({ ...user('Hi'), max_tokens: 1 })
  const special = await ask({ ...user('Hi<|im_end|>'), max_tokens: 1 })

  expect(special.usage?.prompt_tokens).toBeGreaterThan((plain.usage?.prompt_tokens ?? 0) + 3)
})

test.each(['max_tokens', 'max_completion_tokens'])('ends at %s with length', async (field) => {
  const { finishReason, usage } = await ask({ ...longStory, max_tokens: null, [field]: 5 })

  expect(finishReason).toBe('length')
  expect(usage?.completion_tokens).toBe(5)
})

test('ends before a stop text, also one that tokens cut across', async () => {
  const { text, finishReason } = await ask({ ...user(question), stop: ['x', 'ance is'] })

  expect(text).toBe('The capital of Fr')
  expect(finishReason).toBe('stop')
})

test('repeats an answer for the same seed and gives another for another', async () => {
  const body = { ...user('Name an animal.'), temperature: 1, max_tokens: 12 }
  const first = await ask({ ...body, seed: 1 })
  const again = await ask({ ...body, seed: 1 })
  const others = [await ask({ ...body, seed: 2 }), await ask({ ...body, seed: 3 })]

  expect(again.text).toBe(first.text)
  expect(others.map(({ text }) => text)).not.toEqual([first.text, first.text])
})

test('answers in JSON when asked to', async () => {
  const { text } = await ask({
    ...user('Give a JSON object with the name and age of a person.'),
    response_format: { type: 'json_object' },
    max_tokens: 200,
  })

  expect(() => JSON.parse(text)).not.toThrow()
})

test('answers in JSON that fits a schema', async () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string', maxLength: 20 }, isTall: { type: 'boolean' } },
    required: ['name', 'isTall'],
    additionalProperties: false,
  }
  const { text } = await ask({
    ...user('Describe a person.'),
    response_format: { type: 'json_schema', json_schema: { name: 'person', schema } },
    max_tokens: 200,
  })

  expect(JSON.parse(text)).toEqual({ name: expect.any(String), isTall: expect.any(Boolean) })
})

test('answers requests one after the other, in the order they came', async () => {
  const events: string[] = []
  const one = (name: string) =>
    ask(
      { ...longStory, max_tokens: 20 },
      { onText: () => events.at(-1) !== name && events.push(name) },
    )

  await Promise.all(['first', 'second', 'third'].map(one))

  expect(events).toEqual(['first', 'second', 'third'])
})

test('gives up a place in the queue when its signal is aborted', async () => {
  const running = ask({ ...longStory, max_tokens: 60 })
  const abort = new AbortController()
  const waiting = ask(user('never asked'), { signal: abort.signal })
  const last = ask(user(question))

  abort.abort(new Error('gone'))

  await expect(waiting).rejects.toThrow('gone')
  expect((await running).usage?.completion_tokens).toBe(60)
  expect((await last).text).toContain('Paris')
})

test('an abort in the middle of an answer is felt within 100 ms, and the next is answered', async () => {
  const abort = new AbortController()
  let abortedAt = 0
  const onText = () => {
    abortedAt ||= performance.now()
    abort.abort(new Error('stop'))
  }

  await expect(ask(longStory, { signal: abort.signal, onText })).rejects.toThrow('stop')

  expect(performance.now() - abortedAt).toBeLessThan(100)
  expect((await ask(user(question))).text).toContain('Paris')
})

test('an abort while a long prompt is read frees the process long before the end of it', async () => {
  const startedAt = performance.now()
  await ask({ ...user('one two three '.repeat(200)), max_tokens: 1 })
  const wholeMs = performance.now() - startedAt
  const abort = new AbortController()
  const aborted = ask(user('four five six '.repeat(200)), { signal: abort.signal })
  setTimeout(() => abort.abort(new Error('stop')), wholeMs / 10)

  await expect(aborted).rejects.toThrow('stop')
  const abortedAt = performance.now()
  await ask({ ...user('four five'), max_tokens: 1 })

  expect(performance.now() - abortedAt).toBeLessThan(wholeMs * 0.6)
})

test('leaving the iteration ends the work', async () => {
  for await (const chunk of model.stream(
    { model: localModelName, body: longStory },
    new AbortController().signal,
  )) {
    expect(chunk.usage).toBeNull()
    break
  }

  expect((await ask(user(question))).text).toContain('Paris')
})

test.each([
  ['one that the tokenizer counts', 'a '.repeat(4200)],
  ['one that need not be counted', 'a'.repeat(200_000)],
])('refuses a prompt that does not fit: %s', async (_which, content) => {
  await expect(ask(user(content))).rejects.toMatchObject({
    kind: 'request',
    message: expect.stringContaining('4096 tokens, its answer included'),
  })
})

test('an answer ends with length where the context is full', async () => {
  const host = new ModelHost(forkChildProcess(modelProcessEntry), () => undefined)
  await host.load(weightsPath(cacheDir), 256)
  const generation = readRequest({ ...longStory, max_tokens: 1000 }, true)
  const onIdle = vi.fn<() => void>()

  const pieces: Piece[] = []
  const { signal } = new AbortController()
  for await (const piece of host.generate(generation, { signal, onIdle })) pieces.push(piece)

  expect(pieces.at(-1)).toMatchObject({ kind: 'done', finishReason: 'length', promptTokens: 31 })
  expect(pieces.at(-1)).toMatchObject({ completionTokens: 256 - 31 - 4 })
  expect(onIdle).toHaveBeenCalledOnce()
  host.kill()
})

test('every thread of the process steps back behind the service', async () => {
  await ask(user(question))
  const { pid } = processes.at(-1) ?? {}

  const threads = await readdir(`/proc/${pid}/task`)
  const stats = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8')),
  )

  // Field 19 is the nice value; the second one, a name in brackets, may hold spaces.
  const niceValues = stats.map((stat) => stat.split(') ')[1]?.split(' ')[16])
  expect(new Set(niceValues)).toEqual(new Set(['5']))
})

test('a process killed mid-answer fails that answer only', async () => {
  const states = watchStates(model)
  const victim = processes.at(-1)

  const killed = ask(longStory, { onText: () => victim?.kill() })
  const next = ask(user(question))

  await expect(killed).rejects.toMatchObject({ name: 'ProviderError', kind: 'unavailable' })
  expect((await next).text).toBe('The capital of France is Paris.')
  expect(states).toEqual(['stopped', 'loading', 'ready'])
})

test('a process that no longer answers is ended', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await ask(user(question))
  const { pid = NaN } = processes.at(-1) ?? {}

  const frozen = ask(longStory, { onText: () => process.kill(pid, 'SIGSTOP') })
  const failure = frozen.catch((error: unknown) => error)
  await vi.waitUntil(
    async () => (await readFile(`/proc/${pid}/stat`, 'utf8')).includes(') T '),
    patience,
  )
  await pause(50)
  vi.advanceTimersByTime(20_000)

  expect(await failure).toMatchObject({ kind: 'unavailable' })
  expect(isRunning(pid)).toBe(false)
})

test('a process that keeps dying is left alone until a retry', async () => {
  const dying: ModelProcess[] = []
  let isFatal = true
  const fork = (entry: string) => {
    const child = trackedFork(entry)
    dying.push(child)
    if (isFatal) child.kill()
    return child
  }
  const crashing = await open({ fork })
  for (let crash = 0; crash < 3; crash++) {
    await expect(ask(user('Hi'), { to: crashing })).rejects.toThrow('ended')
  }

  const refused = ask(user('Hi'), { to: crashing })
  await expect(refused).rejects.toThrow('keeps ending')
  await expect(refused).rejects.toMatchObject({ kind: 'unavailable' })
  expect(dying).toHaveLength(3)
  expect(crashing.state()).toMatchObject({ status: 'failed' })

  isFatal = false
  expect(await crashing.retry()).toMatchObject({ status: 'ready' })
  await crashing.close()
})

test('an unused process is ended after ten minutes and started again when needed', async () => {
  const idle = await open()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await ask(user(question), { to: idle })
  const { pid } = processes.at(-1) ?? {}

  vi.advanceTimersByTime(10 * 60_000)

  vi.useRealTimers()
  await vi.waitUntil(() => !isRunning(pid) && idle.state().status === 'stopped', patience)
  expect((await ask(user(question), { to: idle })).text).toContain('Paris')
  await idle.close()
})

test('closing ends the process', async () => {
  const closing = await open()
  await closing.retry()
  const { pid } = processes.at(-1) ?? {}
  expect(isRunning(pid)).toBe(true)

  await closing.close()

  await vi.waitUntil(() => !isRunning(pid), patience)
  await expect(ask(user('Hi'), { to: closing })).rejects.toThrow('stopped')
})

test('the process ends with the one that started it, however that ended', async () => {
  const script = `
    import { forkChildProcess } from '${new URL('fork-child-process.ts', import.meta.url).href}'
    const child = forkChildProcess('${modelProcessEntry}')
    child.onMessage(() => console.log(child.pid))
    child.send({ kind: 'ping' })
  `
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', script])
  const [printed]: unknown[] = await once(parent.stdout, 'data')
  const pid = Number(String(printed))
  expect(isRunning(pid)).toBe(true)

  parent.kill('SIGKILL')

  await vi.waitUntil(() => !isRunning(pid), patience)
})

test('without weights it is missing, and says which three ways lead on', async () => {
  const missing = await open({ cacheDir: await emptyFolder() })

  expect(missing.state()).toEqual({ status: 'missing', downloadBytes: weights.sizeBytes })
  const refused = ask(user('Hi'), { to: missing })
  await expect(refused).rejects.toBeInstanceOf(ProviderError)
  await expect(refused).rejects.toThrow('Choose a model file, add a provider key, or retry')
  await expect(missing.listModels(new AbortController().signal)).rejects.toThrow('missing')
})

test.each([
  ['is not there', null, 'cannot be read'],
  ['is another kind of file', 'PK\u0003\u0004', 'not a model file'],
])('a chosen file that %s is a failure in words', async (_what, content, words) => {
  const file = join(await emptyFolder(), 'chosen.gguf')
  if (content !== null) await writeFile(file, content)

  const chosen = await open({ file })

  expect(chosen.state()).toMatchObject({ status: 'failed', file })
  await expect(ask(user('Hi'), { to: chosen })).rejects.toThrow(words)
})

test('a model file that is damaged fails to load; the built-in one then works again', async () => {
  const file = join(await emptyFolder(), 'damaged.gguf')
  await writeFile(file, 'GGUF and nothing that belongs to it')
  const damaged = await open({ file })

  await expect(ask(user('Hi'), { to: damaged })).rejects.toMatchObject({ kind: 'unavailable' })
  expect(damaged.state()).toMatchObject({ status: 'failed', file })

  expect(await damaged.useFile(null)).toMatchObject({ status: 'stopped' })
  expect((await ask(user(question), { to: damaged })).text).toContain('Paris')
  await damaged.close()
})

test('a download shows its progress and leaves a model that can be started', async () => {
  const emptyCache = await emptyFolder()
  const fetch = async () => {
    const file = createReadStream(weightsPath(cacheDir))
    await once(file, 'open')
    return new Response(Readable.toWeb(file) as ReadableStream)
  }
  const downloading = await open({ cacheDir: emptyCache, fetch })
  const states = watchStates(downloading)
  const received: number[] = []
  downloading.onState(
    (state) => state.status === 'downloading' && received.push(state.receivedBytes),
  )

  const after = await Promise.all([downloading.download(), downloading.download()])

  expect(states).toEqual(['downloading', 'stopped'])
  expect(received.length).toBeGreaterThan(20)
  expect(received).toEqual(received.toSorted((a, b) => a - b))
  expect(after).toEqual([
    { status: 'stopped', file: weightsPath(emptyCache) },
    { status: 'stopped', file: weightsPath(emptyCache) },
  ])
})

test('a download that fails says why', async () => {
  const offline = await open({ cacheDir: await emptyFolder() })

  expect(await offline.download()).toEqual({
    status: 'failed',
    file: null,
    message: 'huggingface.co cannot be reached',
  })
})
