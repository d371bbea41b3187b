/** Candidates tried in turn, with providers that answer from a list. */
import { expect, test } from 'vitest'
import { defaultTimeLimits } from '../../../shared/routers/time-limits.ts'
import {
  joinChunks,
  ProviderError,
  type Provider,
  type ProviderChunk,
} from '../../providers/provider.ts'
import { candidate } from '../../../../test/routing/sample-candidates.ts'
import { attemptStreamed, type AttemptedChunk } from './attempts.ts'
import type { AttemptListener, ChatAttemptsOptions } from './attempts-options.ts'
import { Deployments } from './deployments.ts'

type Choice = ProviderChunk['choices'][number]

function choice(index: number, delta: Choice['delta'], finish: Choice['finish_reason'] = null) {
  return { index, delta, finish_reason: finish }
}

function chunk(...choices: Choice[]): ProviderChunk {
  return { choices, usage: null }
}

const says = (text: string) => chunk(choice(0, { content: text }))
const stops = chunk(choice(0, {}, 'stop'))

/** Each model's behaviour: the chunks it sends, then optionally its failure. */
type Script = (ProviderChunk | Error)[]

async function run(
  scripts: Readonly<Record<string, Script>>,
  {
    listener,
    ...options
  }: Partial<Omit<ChatAttemptsOptions, 'listener'>> & {
    listener?: Partial<AttemptListener>
  } = {},
): Promise<{ chunks: AttemptedChunk[]; failed: string[]; asked: string[] }> {
  const chunks: AttemptedChunk[] = []
  const failed: string[] = []
  const asked: string[] = []
  const attempts = attemptStreamed({
    candidates: Object.keys(scripts).map((id) => candidate({ modelId: id })),
    upstreams: {
      providerOf: ({ modelId }) => providerOf(scripts[modelId] ?? []),
      outageOf: () => null,
      timeLimitsOf: () => defaultTimeLimits,
      requestFor: () => ({ model: 'm', body: { messages: [] } }),
    },
    deployments: new Deployments(
      () => 0,
      () => 0,
    ),
    isStreamed: true,
    repeats: false,
    hedge: null,
    clock: () => 0,
    signal: new AbortController().signal,
    covers: () => true,
    listener: {
      attemptStarted: ({ modelId }) => asked.push(modelId),
      attemptFailed: ({ modelId }, error) => failed.push(`${modelId}: ${error.kind}`),
      attemptSucceeded: () => {},
      raceWon: () => {},
      unexpectedError: (error) => {
        throw error
      },
      ...listener,
    },
    ...options,
  })
  for await (const attempted of attempts) chunks.push(attempted)
  return { chunks, failed, asked }
}

function providerOf(script: Script): Provider {
  async function* stream() {
    for (const step of script) {
      if (step instanceof Error) throw step
      yield step
    }
  }
  return {
    stream,
    complete: () => joinChunks(stream()),
    listModels: async () => [],
    close: async () => {},
  }
}

const overloaded = new ProviderError('unavailable', 'overloaded', { retryAfterMs: 2_500 })
const soon = new ProviderError('unavailable', 'overloaded', { retryAfterMs: 1 })

test('only the first model is asked when it answers', async () => {
  const { chunks, asked } = await run({ 'p:a': [says('a'), stops], 'p:b': [says('b'), stops] })

  expect(chunks.map(({ candidate: { modelId } }) => modelId)).toEqual(['p:a', 'p:a'])
  expect(asked).toEqual(['p:a'])
})

test('a model whose attempt the budget does not cover is passed over', async () => {
  const scripts = { 'p:a': [overloaded], 'p:dear': [says('b'), stops], 'p:c': [says('c'), stops] }
  const covers = ({ modelId }: { modelId: string }) => Promise.resolve(modelId !== 'p:dear')

  expect((await run(scripts, { covers })).asked).toEqual(['p:a', 'p:c'])
  const { 'p:c': _, ...onlyDear } = scripts
  await expect(run(onlyDear, { covers })).rejects.toMatchObject({
    code: 'all_models_unavailable',
    message:
      'No model of this router could answer. p:a: overloaded; p:dear: not tried, because the budget does not cover another attempt.',
  })
})

test('the only model is not asked again when the budget does not cover it', async () => {
  const asked: string[] = []
  const running = run(
    { 'p:a': [soon] },
    {
      covers: () => asked.length === 0,
      repeats: true,
      listener: { attemptStarted: ({ modelId }) => asked.push(modelId) },
    },
  )

  await expect(running).rejects.toMatchObject({ code: 'all_models_unavailable' })
  expect(asked).toEqual(['p:a'])
})

test('chunks without a delta are held back, so the caller does not notice a failure after them', async () => {
  const empty = chunk(choice(0, {}))
  const { chunks, failed } = await run({
    'p:a': [empty, empty, overloaded],
    'p:b': [empty, says('b'), stops],
  })

  expect(chunks.every(({ candidate: { modelId } }) => modelId === 'p:b')).toBe(true)
  expect(failed).toEqual(['p:a: unavailable'])
})

test.each([
  ['content', { content: 'x' }],
  ['a refusal', { refusal: 'no' }],
  ['reasoning', { reasoning_content: 'hm' }],
  ['a tool call', { tool_calls: [{ index: 0, id: 'c', function: { name: 'f' } }] }],
])('after %s no other model takes over', async (_name, delta) => {
  const attempts = run({ 'p:a': [chunk(choice(0, delta)), overloaded], 'p:b': [says('b'), stops] })

  await expect(attempts).rejects.toMatchObject({
    name: 'StreamBroken',
    error: {
      code: 'all_models_unavailable',
      message: 'The answer broke off: p:a did not finish it (overloaded).',
    },
  })
})

test('an answer that consists only of its end is an answer', async () => {
  const { chunks } = await run({ 'p:a': [stops] })

  expect(chunks).toHaveLength(1)
})

test('an answer with one choice that never ended counts as cut off', async () => {
  const attempts = run({
    'p:a': [says('first'), chunk(choice(1, { content: 'second' })), stops],
  })

  await expect(attempts).rejects.toMatchObject({ name: 'StreamBroken' })
})

test('retry-after is the shortest wait that a provider named, in whole seconds', async () => {
  const later = new ProviderError('rate_limit', 'slow down', { retryAfterMs: 20_000 })

  const attempts = run({ 'p:a': [later], 'p:b': [overloaded] })

  await expect(attempts).rejects.toMatchObject({
    code: 'all_models_unavailable',
    message: 'No model of this router could answer. p:a: slow down; p:b: overloaded.',
    headers: { 'retry-after': '3', 'x-should-retry': 'false' },
  })
})

test('after rate limits alone, callers may ask again, because a limited model is not asked before its time', async () => {
  const limited = new ProviderError('rate_limit', 'slow down', { retryAfterMs: 20_000 })

  const attempts = run({ 'p:a': [limited], 'p:b': [limited] })

  const error: unknown = await attempts.catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ headers: { 'retry-after': '20' } })
  expect(error).not.toHaveProperty(['headers', 'x-should-retry'])
})

test('when only the user can help, no caller waits long before it shows the message', async () => {
  const rejected = new ProviderError('auth', 'the provider rejected the key', { status: 401 })

  await expect(run({ 'p:a': [rejected] })).rejects.toMatchObject({
    status: 503,
    headers: { 'retry-after': '1', 'x-should-retry': 'false' },
  })
})

test('causes that are sentences become parts of one', async () => {
  const stopped = new ProviderError('unavailable', 'The local model was stopped.')
  const upstreams = {
    providerOf: () => providerOf([stopped]),
    outageOf: ({ modelId }: { modelId: string }) =>
      modelId === 'p:b' ? new ProviderError('unavailable', 'The model file is missing.') : null,
    timeLimitsOf: () => defaultTimeLimits,
    requestFor: () => ({ model: 'm', body: { messages: [] } }),
  }

  await expect(run({ 'p:a': [], 'p:b': [] }, { upstreams })).rejects.toMatchObject({
    message:
      'No model of this router could answer. p:a: The local model was stopped; p:b: The model file is missing.',
  })
})

test('an adapter’s unexpected error is reported as a bug, and the next model is tried', async () => {
  const bugs: unknown[] = []
  const bug = new TypeError('x is undefined')

  const { chunks } = await run(
    { 'p:a': [bug], 'p:b': [says('b'), stops] },
    { listener: { unexpectedError: (error) => bugs.push(error) } },
  )

  expect(chunks[0]?.candidate.modelId).toBe('p:b')
  expect(bugs).toEqual([bug])
})

test('a failure after the client disconnects is not counted against the provider', async () => {
  const controller = new AbortController()
  const left = new Error('left')
  const failed: string[] = []

  const attempts = run(
    { 'p:a': [overloaded], 'p:b': [says('b'), stops] },
    {
      signal: controller.signal,
      listener: {
        attemptStarted: () => controller.abort(left),
        attemptFailed: ({ modelId }) => failed.push(modelId),
      },
    },
  )

  await expect(attempts).rejects.toBe(left)
  expect(failed).toEqual([])
})

test('a prompt that is too long goes to larger models only, and uses no retry budget', async () => {
  const tooLong = new ProviderError('request', 'too long', { isTooLong: true })
  const deployments = new Deployments(
    () => 0,
    () => 0,
  )
  while (deployments.budget.withdraw()) {
    // Until nothing is left.
  }
  const contexts = { 'p:a': 1_000, 'p:b': 1_000, 'p:c': 2_000 }
  const candidates = Object.entries(contexts).map(([modelId, contextTokens]) =>
    candidate({ modelId, contextTokens }),
  )

  const { asked, chunks } = await run(
    { 'p:a': [tooLong], 'p:b': [says('b'), stops], 'p:c': [says('c'), stops] },
    { candidates, deployments },
  )

  expect(asked).toEqual(['p:a', 'p:c'])
  expect(chunks).toHaveLength(2)
})

test('a prompt that is too long for the largest model ends the request with its words', async () => {
  const tooLong = new ProviderError('request', 'refused', {
    isTooLong: true,
    upstreamMessage: 'prompt is too long: 9 > 8',
  })

  await expect(run({ 'p:a': [tooLong], 'p:b': [says('b'), stops] })).rejects.toMatchObject({
    code: 'context_length_exceeded',
    message: 'prompt is too long: 9 > 8',
  })
})

test('a reason that several models of a provider have is said once', async () => {
  const rejected = new ProviderError('auth', 'it rejected the key')
  const scripts = { 'p:a': [rejected], 'p:b': [rejected], 'q:c': [rejected] }
  await expect(run(scripts)).rejects.toMatchObject({
    message: expect.stringMatching(
      /could answer\. p:a, p:b: it rejected the key; q:c: it rejected the key\.$/,
    ),
  })
})
