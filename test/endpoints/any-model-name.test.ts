/** Keys that accept any model name, for tools that send a fixed name or the one that they read in the last answer. */
import { expect, onTestFinished, test } from 'vitest'
import { hello, startTestService, type TestService } from '../test-service.ts'
import { startWithMessagesUpstream, whole as wholeMessage } from './messages-upstream.ts'
import { startWithResponsesUpstream, whole as wholeResponse } from './responses-upstream.ts'

async function keyOf({ service }: Pick<TestService, 'service'>): Promise<Record<string, string>> {
  const { key } = await service.dashboard.createApiKey({
    name: 'Connected',
    routers: 'all',
    acceptAnyModel: true,
  })
  return { authorization: `Bearer ${key}` }
}

const doors: [path: string, body: object, isNamed: boolean][] = [
  ['chat/completions', hello, false],
  ['v1/completions', { prompt: 'Hi' }, false],
  ['v1/messages', { ...hello, max_tokens: 50 }, true],
  ['v1/responses', { input: 'Hi' }, true],
]
const ways = doors.flatMap((door) => [false, true].map((stream) => [...door, stream] as const))

test.each(ways)(
  '%s with such a key never pins the model (%o, carries the name: %s, stream: %s)',
  async (path, body, isNamed, stream) => {
    const started = await startTestService({ models: { one: {}, two: {} } })
    const headers = await keyOf(started)

    for (const model of ['claude-opus-5-5', 'fake:two']) {
      const answer = await started.post(path, { ...body, model, stream }, { headers })
      const text = await answer.text()

      expect(text).toContain(`"model":"${isNamed ? model : 'fake:one'}"`)
      expect(text.includes('"model":"fake:one"')).toBe(!isNamed)
      expect(text).toContain('"modelUsed":"fake:one"')
      expect(text).toContain('"routerDecision":"priority"')
    }
    const rows = await started.ledger(2)
    expect(rows.map(({ modelUsed }) => modelUsed)).toEqual(['fake:one', 'fake:one'])
  },
)

test.each([false, true])(
  'an answer that is passed on carries the name (stream %s)',
  async (stream) => {
    const claude = await startWithMessagesUpstream()
    const gpt = await startWithResponsesUpstream({}, onTestFinished)
    if (!stream) {
      claude.upstream.answer = [wholeMessage('Hello')]
      gpt.upstream.answer = [wholeResponse('Hello')]
    }
    const body = { model: 'my-model', stream }

    const messages = { ...body, ...hello, max_tokens: 50 }
    const sent = await claude.post('v1/messages', messages, { headers: await keyOf(claude) })
    const responses = { ...body, input: 'Hi', store: false }
    const asked = await gpt.post('v1/responses', responses, { headers: await keyOf(gpt) })

    for (const answer of [await sent.text(), await asked.text()]) {
      expect(answer).toContain('"model":"my-model"')
      expect(answer).not.toMatch(/"model":"(claude|openai|gpt)/)
      expect(answer).toMatch(/"modelUsed":"(claude:claude-opus-4-8|\w+:gpt-5.5)"/)
    }
  },
)

test.each([{}, { model: '' }, { model: 'auto' }])(
  'for %j the name is the model’s',
  async (named) => {
    const started = await startTestService({ models: { one: {} } })

    const body = { ...hello, ...named, max_tokens: 50 }
    const answer = await started.post('v1/messages', body, { headers: await keyOf(started) })

    expect(await answer.text()).toContain('"model":"fake:one"')
  },
)

test.each([
  ['v1/messages', { ...hello, max_tokens: 50 }],
  ['v1/responses', { input: 'Hi' }],
])('at %s, a stream without any output carries the name, too', async (path, body) => {
  const started = await startTestService({ models: { one: { text: '' } } })
  const headers = await keyOf(started)

  const answer = await started.post(path, { ...body, model: 'my-model', stream: true }, { headers })
  const text = await answer.text()

  expect(text).toContain('"model":"my-model"')
  expect(text).not.toContain('"model":"fake:one"')
})
