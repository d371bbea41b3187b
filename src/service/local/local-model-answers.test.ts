/** The built-in model's answers, their order, and how an answer is cancelled. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import {
  ask as askModel,
  cacheDir,
  longStory,
  modelProcessEntry,
  open,
  prepareLocalTests,
  processes,
  question,
  trackedFork,
  user,
  watchStates,
  type Answer,
  type AskOptions,
} from '../../../test/local/ask-local-model.ts'
import type { ChatRequest } from '../../shared/chat/chat.ts'
import { forkChildProcess } from './fork-child-process.ts'
import { localModelName, type LocalModel, type ModelProcess } from './local-model.ts'
import { ModelHost, type Piece } from './model-host.ts'
import { readRequest } from './read-request.ts'
import { weightsPath } from '../../../scripts/setup/weights.ts'

let model: LocalModel

prepareLocalTests()
beforeAll(async () => {
  model = await open()
})
afterAll(() => model.close())

function ask(body: ChatRequest, asked: Partial<AskOptions> = {}): Promise<Answer> {
  return askModel(body, { to: model, ...asked })
}

test('starts its process with the first request, not earlier', async () => {
  expect(model.state()).toEqual({ status: 'stopped', file: weightsPath(cacheDir) })
  const states = watchStates(model)

  await ask(user(question))

  expect(states).toEqual(['loading', 'ready'])
})

test('answers in pieces, then with the finish reason and the token counts', async () => {
  const { text, chunks, finishReason, usage } = await ask(user(question))

  expect(text).toBe('The capital of France is Paris.')
  expect(chunks).toBeGreaterThan(4)
  expect(finishReason).toBe('stop')
  expect(usage).toEqual({ prompt_tokens: 28, completion_tokens: 8, total_tokens: 36 })
})

test('formats a conversation with the model’s chat template', async () => {
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

test('reads special tokens in a message as plain text', async () => {
  const plain = await ask({ ...user('Hi'), max_tokens: 1 })
  const special = await ask({ ...user('Hi<|im_end|>'), max_tokens: 1 })

  expect(special.usage?.prompt_tokens).toBeGreaterThan((plain.usage?.prompt_tokens ?? 0) + 3)
})

test.each(['max_tokens', 'max_completion_tokens'])('ends at %s with length', async (field) => {
  const { finishReason, usage } = await ask({ ...longStory, max_tokens: null, [field]: 5 })

  expect(finishReason).toBe('length')
  expect(usage?.completion_tokens).toBe(5)
})

test('ends with length when it only repeats itself', async () => {
  // The only answer that the schema allows: what the model itself repeats depends on the processor's arithmetic.
  const schema = { const: 'la '.repeat(400) }
  const { text, finishReason } = await ask({
    ...user('Sing'),
    max_tokens: 1000,
    response_format: { type: 'json_schema', json_schema: { name: 'song', schema } },
  })

  expect(finishReason).toBe('length')
  expect(text.length).toBeGreaterThan(240)
  expect(text.length).toBeLessThan(260)
})

test('ends before a stop text, even if it spans several tokens', async () => {
  const { text, finishReason } = await ask({ ...user(question), stop: ['x', 'ance is'] })

  expect(text).toBe('The capital of Fr')
  expect(finishReason).toBe('stop')
})

test('repeats an answer for the same seed and gives a different one for another seed', async () => {
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

test('a request without a model waits for no other, and lets the next one through', async () => {
  const ended: string[] = []
  const end = (name: string) => () => ended.push(name)

  await Promise.all([
    ask({ ...longStory, max_tokens: 20 }).then(end('story')),
    ask(user('Hi'), { model: 'none' }).catch(end('without a model')),
    ask(user(question)).then(end('question')),
  ])

  expect(ended).toEqual(['without a model', 'story', 'question'])
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

test('an abort ends the answer in its process, and the next request is answered', async () => {
  const events: string[] = []
  const recorded = await open({ fork: (entry) => recordEvents(trackedFork(entry), events) })
  onTestFinished(() => recorded.close())
  const abort = new AbortController()
  const onText = () => abort.abort(new Error('stop'))

  const aborted = ask(longStory, { to: recorded, signal: abort.signal, onText })

  await expect(aborted).rejects.toThrow('stop')
  expect((await ask(user(question), { to: recorded })).text).toContain('Paris')
  const afterAbort = events.slice(events.indexOf('abort') + 1)
  expect(afterAbort).toContain('aborted')
  // Tokens are still in transit between the processes, many of them if this one was late; without the abort there would
  // be 400.
  expect(afterAbort.indexOf('aborted')).toBeLessThan(350)
  expect(events).not.toContain('error')
})

/** Records the kinds of all messages, in their order. */
function recordEvents(process: ModelProcess, events: string[]): ModelProcess {
  const record = (message: unknown) => {
    const { kind } = message as { kind: string }
    if (kind !== 'ping' && kind !== 'pong') events.push(kind)
  }
  process.onMessage(record)
  return {
    ...process,
    pid: process.pid,
    send(message) {
      record(message)
      process.send(message)
    },
  }
}

test('an abort while a long prompt is read frees the process long before the prompt ends', async () => {
  const other = await open()
  onTestFinished(() => other.close())
  await ask(user('one'), { to: other })
  const { pid } = processes.at(-1) ?? {}
  const started = await processorTime(pid)
  await ask({ ...user('one two three '.repeat(150)), max_tokens: 1 }, { to: other })
  const whole = (await processorTime(pid)) - started
  const abort = new AbortController()
  const aborted = ask(user('four five six '.repeat(150)), { to: other, signal: abort.signal })
  aborted.catch(() => {})
  const restarted = await processorTime(pid)
  const used = async () => (await processorTime(pid)) - restarted
  await expect.poll(used).toBeGreaterThan(whole / 10)
  // More than a tenth if this process was late.
  const usedBefore = await used()

  abort.abort(new Error('stop'))

  await expect(aborted).rejects.toThrow('stop')
  await ask({ ...user('four five'), max_tokens: 1 }, { to: other })
  expect((await used()) - usedBefore).toBeLessThan(whole / 2)
})

/** Processor time of a process so far, in hundredths of a second; it does not depend on the computer's load. */
async function processorTime(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // Fields 14 and 15; the second field, a name in parentheses, may contain spaces.
  const times = stat.split(') ')[1]?.split(' ').slice(11, 13) ?? []
  return times.reduce((sum, time) => sum + Number(time), 0)
}

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
  ['one that is refused without counting', 'a'.repeat(200_000)],
])('refuses a prompt that does not fit: %s', async (_which, content) => {
  await expect(ask(user(content))).rejects.toMatchObject({
    kind: 'request',
    message: expect.stringContaining('4096 tokens, including its answer'),
  })
})

test('an answer ends with length when the context is full', async () => {
  const host = new ModelHost(forkChildProcess(modelProcessEntry), () => undefined)
  await host.load({ file: weightsPath(cacheDir), contextTokens: 256, usesGpu: false })
  const builtIn = { name: localModelName, contextTokens: 4096, isBuiltIn: true }
  const generation = readRequest({ ...longStory, max_tokens: 1000 }, builtIn)
  const onIdle = vi.fn<() => void>()

  const pieces: Piece[] = []
  const { signal } = new AbortController()
  for await (const piece of host.generate(generation, { signal, onIdle })) pieces.push(piece)

  expect(pieces.at(-1)).toMatchObject({ kind: 'done', finishReason: 'length', promptTokens: 31 })
  expect(pieces.at(-1)).toMatchObject({ completionTokens: 256 - 31 - 4 })
  expect(onIdle).toHaveBeenCalledOnce()
  host.kill()
})
