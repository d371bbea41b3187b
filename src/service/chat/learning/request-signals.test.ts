import { expect, test } from 'vitest'
import { sampleRouter } from '../../../../test/storage/samples.ts'
import type { ChatRequest, CompletionChoice } from '../../../shared/chat/chat.ts'
import type { RequestSource } from '../../../shared/entities.ts'
import { settings } from '../../../shared/app/settings.ts'
import { candidate as sampleCandidate } from '../../../../test/routing/sample-candidates.ts'
import { RequestSignals } from './request-signals.ts'
import { SignalLabels } from './signal-labels.ts'

const candidate = sampleCandidate({ modelId: 'p:a' })
const [hello, sorry] = ['Hello there!', 'I’m sorry, but I can’t help with that.']

function start(body: Partial<ChatRequest> = {}, source: RequestSource = 'api') {
  const labels = new SignalLabels({
    store: { addSignals: () => Promise.resolve() },
    settings: () => ({
      signalFormat: settings.signalFormat.default,
      signalToolCall: settings.signalToolCall.default,
      signalEmpty: settings.signalEmpty.default,
      signalCutOff: settings.signalCutOff.default,
      signalRefused: settings.signalRefused.default,
      signalAskedAgain: settings.signalAskedAgain.default,
      signalStepRepeated: settings.signalStepRepeated.default,
    }),
    now: () => 0,
    clock: () => 0,
    onError: () => undefined,
  })
  const meter = { signals: [] }
  const call = {
    requestId: 'r',
    router: sampleRouter(),
    body: { messages: [{ role: 'user' as const, content: 'Hello' }], ...body },
    apiKeyId: null,
    source,
    acceptAnyModel: false,
    client: null,
    cacheUse: 'none' as const,
  }
  const plan = { record: { reading: null } }
  return { signals: new RequestSignals({ call, plan, meter }, labels, 0), meter }
}

test('each of several streamed choices is read, however long the first one is', () => {
  const { signals, meter } = start({ n: 2 })
  const beginning = signals.beginning()
  const piece = (index: number, content: string) =>
    beginning.add([{ index, delta: { content }, finish_reason: null }])
  piece(0, '')
  piece(1, '')
  piece(0, hello.repeat(100))
  piece(1, hello)
  const ends = new Map([
    [0, 'stop'],
    [1, 'stop'],
  ])
  signals.judge(candidate, beginning.read(ends), null)
  expect(meter.signals).toEqual([])
})

test.each([
  ['api', 1],
  ['chat', 1],
  ['tune', 0],
] as const)('a refusal of the source %s gives %i signals', (source, count) => {
  const { signals, meter } = start({}, source)
  const message = { role: 'assistant' as const, content: sorry, refusal: null }
  const choice: CompletionChoice = { index: 0, message, finish_reason: 'stop', logprobs: null }
  signals.judge(candidate, [choice], null)
  expect(meter.signals).toHaveLength(count)
})
