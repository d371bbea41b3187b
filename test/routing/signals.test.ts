/** What answers show by themselves, over HTTPS: named with the request, counted for the model, one switch each. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import {
  signalKinds,
  type SignalName,
  type SignalRecord,
} from '../../src/shared/requests/signals.ts'
import type { FakeModel } from '../fake-provider.ts'
import { alone, startCascaded } from '../attempts/start-cascaded.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const asJson = {
  ...hello,
  response_format: { type: 'json_schema', json_schema: { name: 'place', schema } },
}
const asObject = { ...hello, response_format: { type: 'json_object' } }
const withTools = {
  ...hello,
  tools: [{ type: 'function', function: { name: 'weather', parameters: schema } }],
}
const calling = (...argumentPieces: string[]): FakeModel => ({
  toolCalls: [{ index: 0, id: 'call_1', name: 'weather', argumentPieces }],
})
const usageOf = (completion_tokens: number) => ({
  prompt_tokens: 12,
  completion_tokens,
  total_tokens: 12 + completion_tokens,
})

/** The signals of the answer, as `_meta.decision` names them. */
async function signalsOf({ post }: TestService, body: object): Promise<SignalRecord[]> {
  const headers = { 'x-modelport-explain': 'true' }
  const answer = await post('chat/completions', body, { headers })
  const text = await answer.text()
  const lines = text.split('\n').filter((line) => line.includes('"_meta"'))
  // The form of Modelport's own answers and last chunks.
  const { _meta: meta } = JSON.parse((lines.at(-1) ?? '').replace(/^data: /, '')) as {
    _meta: { decision: { signals: SignalRecord[] } }
  }
  return meta.decision.signals
}

/** Good and bad answers of each model over all kinds of prompts, after the service has stopped. */
async function countsOf({ service, dataDir }: TestService) {
  await service.close()
  const storage = await openStorage({ dataDir })
  onTestFinished(() => storage.close())
  const sum = (values: number[]) => Number(values.reduce((all, one) => all + one, 0).toFixed(6))
  const counts = await storage.feedback.counts(Date.now())
  return Object.fromEntries(
    counts.map(({ modelId, good, bad }) => [modelId, { good: sum(good), bad: sum(bad) }]),
  )
}

const shown: [string, { model: FakeModel; body: object; name: SignalName; label: 0 | 1 }][] = [
  [
    'JSON that matches',
    { model: { text: '{"city":"Bonn"}' }, body: asJson, name: 'format', label: 1 },
  ],
  ['other JSON', { model: { text: '{"town":"Bonn"}' }, body: asJson, name: 'format', label: 0 }],
  ['prose for an object', { model: { text: 'Bonn' }, body: asObject, name: 'format', label: 0 }],
  [
    'a call that fits',
    { model: calling('{"city":', '"Bonn"}'), body: withTools, name: 'tool_call', label: 1 },
  ],
  [
    'a call that does not',
    { model: calling('{"town":', '1}'), body: withTools, name: 'tool_call', label: 0 },
  ],
  ['an empty answer', { model: { text: ' \n ' }, body: hello, name: 'empty', label: 0 }],
  ['a cut answer', { model: { finishReason: 'length' }, body: hello, name: 'cut_off', label: 0 }],
  [
    'a refusal',
    {
      model: { text: 'I’m sorry, but I can’t help with that.' },
      body: hello,
      name: 'refused',
      label: 0,
    },
  ],
  [
    'a filtered answer',
    { model: { finishReason: 'content_filter' }, body: hello, name: 'refused', label: 0 },
  ],
]

test.each(shown)(
  '%s is named with the request and counted, whole and streamed',
  async (_what, given) => {
    const { model, body, name, label } = given
    const upstream = await startTestService({ models: { m: model } })
    const { goodWeight, badWeight } = signalKinds[name]
    const weight = label === 1 ? goodWeight : badWeight
    const signal = { name, model: 'fake:m', label, weight }

    expect(await signalsOf(upstream, body)).toEqual([signal])
    expect(await signalsOf(upstream, { ...body, stream: true })).toEqual([signal])

    const [row] = await upstream.ledger(2)
    const found = await upstream.get(`requests/${row?.id}`)
    expect(await found.json()).toMatchObject({ detail: { signals: [signal] } })
    const counted = Number((2 * (weight ?? 0)).toFixed(6))
    expect(await countsOf(upstream)).toEqual({
      'fake:m': label === 1 ? { good: counted, bad: 0 } : { good: 0, bad: counted },
    })
  },
)

test.each(shown)(
  '%s shows nothing when its setting is off',
  async (_what, { model, body, name }) => {
    const upstream = await startTestService({ models: { m: model } })
    await upstream.service.dashboard.setSetting(signalKinds[name].setting, false)

    expect(await signalsOf(upstream, body)).toEqual([])
    expect(await signalsOf(upstream, { ...body, stream: true })).toEqual([])
    expect(await countsOf(upstream)).toEqual({})
  },
)

test.each([
  ['an ordinary answer', {}, hello],
  ['prose that was not to be JSON', { text: 'Bonn' }, withTools],
  [
    'an answer that is as long as the request allows',
    { finishReason: 'length', usage: usageOf(50) },
    { ...hello, max_tokens: 50 },
  ],
  [
    'a schema that cannot be read',
    { text: '{}' },
    {
      ...asJson,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'x', schema: { type: 'city' } },
      },
    },
  ],
] satisfies [string, FakeModel, object][])('%s shows nothing', async (_what, model, body) => {
  const upstream = await startTestService({ models: { m: model } })
  expect(await signalsOf(upstream, body)).toEqual([])
  expect(await signalsOf(upstream, { ...body, stream: true })).toEqual([])
  expect(await countsOf(upstream)).toEqual({})
})

test('an answer shorter than the request allows was cut off by the model', async () => {
  const cut = { finishReason: 'length', usage: usageOf(20) }
  const upstream = await startTestService({ models: { m: cut } })
  expect(await signalsOf(upstream, { ...hello, max_tokens: 50 })).toMatchObject([
    { name: 'cut_off', label: 0 },
  ])
})

test('answers without a signal count a little as good, once there is a signal', async () => {
  const answers = [{}, {}, {}, {}, { text: '' }]
  const upstream = await startTestService({
    models: { m: (_request, nth) => answers[nth - 1] ?? {} },
  })
  for (let nth = 1; nth <= answers.length; nth += 1) await signalsOf(upstream, hello)
  expect(await countsOf(upstream)).toEqual({ 'fake:m': { good: 0.08, bad: 0.3 } })
})

test('a cascade’s answer that fails its check counts against its model', async () => {
  const upstream = await startCascaded({ cascade: alone('valid_json') })
  expect(await signalsOf(upstream, hello)).toEqual([
    { name: 'format', model: 'fake:a', label: 0, weight: 0.3 },
  ])
  expect(await countsOf(upstream)).toMatchObject({ 'fake:a': { bad: 0.3 } })
})

test('a thumb and a signal do not replace each other, and model forget deletes both', async () => {
  const upstream = await startTestService({ models: { m: { text: '' } } })
  const { service, dataDir } = upstream
  await signalsOf(upstream, hello)
  const [row] = await upstream.ledger(1)
  await service.dashboard.giveFeedback({ requestId: row?.id ?? '', kind: 'up' })
  await service.close()
  const storage = await openStorage({ dataDir })
  onTestFinished(() => storage.close())
  const sums = async () => {
    const [counts] = await storage.feedback.counts(Date.now())
    const sum = (values: number[] = []) => values.reduce((all, one) => all + one, 0)
    return { good: sum(counts?.good), bad: sum(counts?.bad) }
  }
  expect(await sums()).toEqual({ good: expect.closeTo(1, 6), bad: expect.closeTo(0.3, 6) })
  await storage.feedback.withdraw({ requestId: row?.id ?? '', aspect: 'thumb' })
  expect(await sums()).toEqual({ good: expect.closeTo(0, 6), bad: expect.closeTo(0.3, 6) })
  await storage.feedback.forget('fake:m')
  expect(await storage.feedback.counts(Date.now())).toEqual([])
})

test('no word of a prompt or an answer is stored', async () => {
  const text = '{"place":"quillonberg"}'
  const upstream = await startTestService({ models: { m: { text } } })
  const { dashboard } = upstream.service
  await dashboard.setSetting('signalAskedAgain', true)
  const content = 'Where does the marvellous zanthorpe live?'
  await signalsOf(upstream, { ...asJson, messages: [{ role: 'user', content }] })
  await countsOf(upstream)
  const files = await readdir(upstream.dataDir, { recursive: true, withFileTypes: true })
  const contents = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name))),
  )
  const stored = Buffer.concat(contents).toString('latin1')
  expect(stored).toContain('signal_counts')
  expect(stored).not.toContain('zanthorpe')
  expect(stored).not.toContain('quillonberg')
})

test('adaptive routers leave a model whose JSON does not fit; other strategies ignore it', async () => {
  const models = { cheap: { text: 'Bonn' }, dear: { text: '{"city":"Bonn"}' } }
  const routing = { sticky: false, qualityTolerance: 0.08 }
  const router = { strategy: 'cost_optimized', routing } as const
  const upstream = await startTestService({ models, router })
  const { dashboard } = upstream.service
  await dashboard.saveModel({
    id: 'fake:dear',
    inputUsdPerMtok: 10,
    outputUsdPerMtok: 20,
    contextTokens: 100_000,
    capabilities: ['json_object'],
  })
  const adaptive = await dashboard.createRouter({
    ...router,
    name: 'Adaptive',
    strategy: 'adaptive',
    models: ['fake:cheap', 'fake:dear'],
  })
  const modelOf = async (routerId: string) => {
    const answer = await upstream.post(`../${routerId}/chat/completions`, asObject)
    // The form of Modelport's own answer.
    return ((await answer.json()) as { model: string }).model
  }

  expect(await modelOf(adaptive.id)).toBe('fake:cheap')
  await expect.poll(() => modelOf(adaptive.id)).toBe('fake:dear')
  expect(await modelOf(upstream.routerId)).toBe('fake:cheap')
})
