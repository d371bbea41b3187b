/** The parts of a request that Modelport changes before it sends it to a model. */
import { expect, test, vi } from 'vitest'
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import type { ParameterRules } from '../../../shared/models/model-abilities.ts'
import type { Provider } from '../../providers/provider.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { adjustBody, adjustedHeader, bodyFor, limitAnswer } from './adjust.ts'

const messages: ChatRequest['messages'] = [{ role: 'user', content: 'Hi' }]
const rules = (given: Partial<ParameterRules> = {}): ParameterRules => ({
  refuses: [],
  samplesWithoutReasoning: false,
  sendsTemperature: false,
  ...given,
})
const candidate = (given: Partial<Candidate>) => ({
  modelId: 'acme:m/1:free',
  parameters: null,
  effort: null,
  ...given,
})
const reasoner = rules({
  refuses: ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'max_tokens'],
})
const relaxed = { ...reasoner, samplesWithoutReasoning: true }
const mistral = rules({ refuses: ['seed', 'max_completion_tokens'], sendsTemperature: true })

test.each<[string, object, ParameterRules | null]>([
  ['no rules', { temperature: 0, max_tokens: 5 }, null],
  ['no refused parameter', { seed: 1, max_completion_tokens: 5 }, reasoner],
  ['a temperature of its own', { temperature: 0, max_tokens: 5 }, mistral],
])('with %s the body stays the same object', (_what, given, given2) => {
  const body = { messages, ...given }

  const { body: sent, adjusted } = adjustBody(body, given2)

  expect(sent).toBe(body)
  expect(adjusted).toEqual([])
})

test.each<[string, object, ParameterRules | null, object, string]>([
  [
    'sampling parameters are left out for a model that reasons',
    { temperature: 0.2, top_p: 0.9, presence_penalty: 1, frequency_penalty: 0 },
    reasoner,
    {},
    'temperature=left_out, top_p=left_out, presence_penalty=left_out, frequency_penalty=left_out',
  ],
  [
    'without reasoning sampling parameters stay and penalties are left out',
    { temperature: 0.2, top_p: 0.9, presence_penalty: 1, reasoning_effort: 'none' },
    relaxed,
    { temperature: 0.2, top_p: 0.9, reasoning_effort: 'none' },
    'presence_penalty=left_out',
  ],
  [
    'a low reasoning effort is reasoning',
    { temperature: 0.2, reasoning_effort: 'low' },
    relaxed,
    { reasoning_effort: 'low' },
    'temperature=left_out',
  ],
  [
    'max_tokens is renamed to max_completion_tokens',
    { max_tokens: 50 },
    reasoner,
    { max_completion_tokens: 50 },
    'max_tokens=sent_as_max_completion_tokens',
  ],
  [
    'max_completion_tokens is renamed to max_tokens',
    { max_completion_tokens: 50, temperature: 1 },
    mistral,
    { max_tokens: 50, temperature: 1 },
    'max_completion_tokens=sent_as_max_tokens',
  ],
  [
    'of both names, the one the model accepts stays',
    { max_tokens: 40, max_completion_tokens: 50 },
    reasoner,
    { max_completion_tokens: 50 },
    'max_tokens=left_out',
  ],
  ['a null value is not renamed', { max_tokens: null }, reasoner, {}, 'max_tokens=left_out'],
  [
    'an absent temperature is sent as 1 when the provider’s default may differ',
    { seed: 7 },
    mistral,
    { temperature: 1 },
    'seed=left_out, temperature=sent_as_1',
  ],
  ['null is absent', { temperature: null }, mistral, { temperature: 1 }, 'temperature=sent_as_1'],
  [
    'store and service_tier are left out, because the user decides on them',
    { store: true, service_tier: 'priority', temperature: 0 },
    null,
    { temperature: 0 },
    'store=left_out, service_tier=left_out',
  ],
])('%s', (_what, given, given2, sent, header) => {
  const body = { messages, ...given }
  const before = structuredClone(body)

  const result = adjustBody(body, given2)

  expect(result.body).toEqual({ messages, ...sent })
  expect(adjustedHeader(result.adjusted)).toBe(header)
  expect(result.adjusted.every(({ reason }) => reason !== '')).toBe(true)
  expect(body).toEqual(before)
})

test('a model that refuses a temperature gets none', () => {
  const { body } = adjustBody(
    { messages },
    rules({ refuses: ['temperature'], sendsTemperature: true }),
  )

  expect(body).toEqual({ messages })
})

test('a limit the caller did not set is sent under the model’s name for it and reported', () => {
  const body: ChatRequest = { messages: [] }

  expect(limitAnswer(body, null, 500).body).toEqual({ messages: [], max_tokens: 500 })
  const { body: sent, adjusted } = limitAnswer(body, rules({ refuses: ['max_tokens'] }), 500)
  expect(sent).toEqual({ messages: [], max_completion_tokens: 500 })
  expect(adjusted.map(({ parameter, change }) => [parameter, change])).toEqual([
    ['max_tokens', 'sent_as_500'],
    ['max_tokens', 'sent_as_max_completion_tokens'],
  ])
  expect(body).toEqual({ messages: [] })
})

test('the effort that the router chose is sent, before the model’s rules apply', () => {
  const body = { messages, temperature: 0.2, presence_penalty: 1 }

  const { body: sent, adjusted } = bodyFor(body, candidate({ parameters: relaxed, effort: 'none' }))

  expect(sent).toEqual({ messages, temperature: 0.2, reasoning_effort: 'none' })
  expect(adjustedHeader(adjusted)).toBe('reasoning_effort=sent_as_none, presence_penalty=left_out')
  expect(body).not.toHaveProperty('reasoning_effort')
})

test('names of fields that a header cannot carry are encoded', () => {
  const names = ['a\r\nset-cookie: x', '\0\u001b', 'züge 😀', '\u2028', '\ud800', 'a,b=c%']
  const adjusted = names.map((parameter) => ({ parameter, change: 'left_out', reason: '' }))

  expect(adjustedHeader(adjusted)).toBe(
    'a%0D%0Aset-cookie: x=left_out, %00%1B=left_out, z%C3%BCge %F0%9F%98%80=left_out, ' +
      '%E2%80%A8=left_out, %EF%BF%BD=left_out, a%2Cb%3Dc%25=left_out',
  )
})

test('a header has at most 2 KiB, and the count of the other changes', () => {
  const manyOf = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => ({
      parameter: String(index).padStart(length, 'x'),
      change: 'left_out',
      reason: '',
    }))

  const header = adjustedHeader(manyOf(700, 20))
  const shown = header.split(', ').length - 1

  expect(header.length).toBeLessThanOrEqual(2_048)
  expect(header).toMatch(new RegExp(`, and_more=${700 - shown}$`))
  expect(shown).toBeGreaterThan(50)
  expect(adjustedHeader(manyOf(2, 3_000))).toBe('and_more=2')
})

test('an effort that the request has itself is no change', () => {
  const body = { messages, reasoning_effort: 'high' }

  expect(bodyFor(body, candidate({ effort: 'high' })).adjusted).toEqual([])
})

test('fields that the provider leaves out are reported after those that the model refuses', () => {
  const body = { messages, temperature: 0.5, seed: 1 }
  const left = { parameter: 'seed', change: 'left_out', reason: 'the provider does not take it' }
  const leftOut = vi.fn<NonNullable<Provider['leftOut']>>(() => [left])

  const { body: sent, adjusted } = bodyFor(body, candidate({ parameters: reasoner }), { leftOut })

  expect(adjustedHeader(adjusted)).toBe('temperature=left_out, seed=left_out')
  expect(sent).toEqual({ messages, seed: 1 })
  expect(leftOut).toHaveBeenCalledExactlyOnceWith(sent, 'm/1:free')
})

test('a provider that leaves out nothing of a body changes nothing', () => {
  const body = { messages, seed: 1 }

  expect(bodyFor(body, candidate({}), { leftOut: () => [] })).toEqual({ body, adjusted: [] })
})
