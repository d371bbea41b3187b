/** The guardian on made sessions: faults are found with their culprit, and honest sessions raise no alarm. */
import { describe, expect, test } from 'vitest'
import {
  clientRequest,
  VendorCache,
  withLiftedMessages,
  type Fault,
} from '../../../../../test/sessions/agent-session.ts'
import type { ChatUsage, WireFields } from '../../../../shared/chat/chat.ts'
import { candidate } from '../../../../../test/routing/sample-candidates.ts'
import { CacheGuardian, type WatchedStep } from './cache-guardian.ts'
import { prefixOf } from './prefix.ts'

const price = {
  inputUsdPerMtok: 4,
  outputUsdPerMtok: 20,
  cacheReadUsdPerMtok: 0.2,
  cacheWriteUsdPerMtok: 5,
}
const opus = candidate({ modelId: 'anthropic:claude-opus-5-5', price })

function startGuardian(model = opus) {
  let nowMs = 0
  const guardian = new CacheGuardian(() => nowMs)
  return {
    wait: (ms: number) => {
      nowMs += ms
    },
    step(
      arrived: WireFields,
      usage: ChatUsage | null,
      given: Partial<WatchedStep> & { body?: WireFields } = {},
    ) {
      nowMs += 10_000
      const { agent = 'key session', body = arrived } = given
      const before = guardian.before(agent, model.modelId)
      return guardian.judge({
        agent,
        session: 'session',
        group: 'claude-code/2.1.330 anthropic messages',
        candidate: model,
        arrived: prefixOf(arrived, before?.arrived ?? null),
        sent: prefixOf(body, before?.sent ?? null),
        usage,
        adjusted: [],
        ...given,
      })
    },
  }
}

/** The verdicts of the steps that are eligible. */
function verdictsOf(fault: Fault, steps: number) {
  const vendor = new VendorCache()
  const { step } = startGuardian()
  return Array.from({ length: steps }, (_, nth) => {
    const arrived = clientRequest(nth, fault)
    const body = fault === 'lifted system messages' ? withLiftedMessages(arrived) : arrived
    return step(arrived, vendor.usageOf(body), { body, adjusted: ['messages'] })
  }).filter((verdict) => verdict !== null)
}

describe('A fault is found within ten eligible steps, with its culprit:', () => {
  test.each<[Exclude<Fault, null>, object]>([
    [
      'lifted system messages',
      { culprit: 'modelport', place: { part: 'system' }, adjusted: ['messages'] },
    ],
    ['clock', { culprit: 'client', place: { part: 'system', at: 4_096 } }],
    ['reordered tools', { culprit: 'client', place: { part: 'tools', change: 'reordered' } }],
    ['effort', { culprit: 'client', place: { part: 'effort' } }],
  ])('%s', (fault, expected) => {
    const verdicts = verdictsOf(fault, 11)
    const broken = verdicts.filter(({ culprit }) => culprit !== undefined)

    expect(verdicts.slice(0, 10).some(({ alarm }) => alarm === true)).toBe(true)
    expect(verdicts.filter(({ alarm }) => alarm === true)).toHaveLength(1)
    for (const verdict of broken) expect(verdict).toMatchObject(expected)
    const lost = broken.reduce((sum, { lostNanoUsd = 0 }) => sum + lostNanoUsd, 0)
    expect(lost).toBeGreaterThan(0)
    expect(lost).toBeLessThan(0.25e9)
  })
})

test('an honest session raises no alarm: marks move, thinking goes, messages are added', () => {
  const verdicts = verdictsOf(null, 60)

  expect(verdicts).toHaveLength(59)
  expect(verdicts.filter(({ culprit }) => culprit !== undefined)).toEqual([])
})

const big = (read: number, written = 0): ChatUsage => ({
  prompt_tokens: read + written,
  completion_tokens: 1,
  total_tokens: read + written + 1,
  prompt_tokens_details: { cached_tokens: read, cache_write_tokens: written },
})
const request = (texts: string[], given: WireFields = {}): WireFields => ({
  system: 'Be brief.',
  messages: texts.map((content, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content,
  })),
  ...given,
})

describe('Is not eligible:', () => {
  test.each<[string, WireFields]>([
    ['a compaction', request(['a summary'])],
    ['a rewound conversation', request(['a'])],
  ])('%s', (_what, after) => {
    const { step } = startGuardian()
    step(request(['a', 'b', 'c']), big(0, 50_000))

    expect(step(after, big(5_000, 2_000))).toBeNull()
  })

  test('a step after the lifetime, a short prompt, and one whose vendor reports nothing', () => {
    const { step, wait } = startGuardian()
    step(request(['a']), big(0, 50_000))
    wait(300_000)
    expect(step(request(['a', 'b', 'c']), big(0, 60_000))).toBeNull()
    expect(step(request(['a', 'b', 'c', 'd', 'e']), null)).toBeNull()

    step(request(['a']), big(0, 4_000), { agent: 'short' })
    expect(step(request(['a', 'b', 'c']), big(0, 5_000), { agent: 'short' })).toBeNull()
  })

  test('the first step of another agent of the session', () => {
    const { step } = startGuardian()
    step(request(['a']), big(0, 50_000))

    expect(step(request(['b']), big(0, 50_000), { agent: 'key session child' })).toBeNull()
  })
})

test('what was written for an hour is expected for an hour', () => {
  const { step, wait } = startGuardian()
  const usage = big(0, 50_000)
  usage.prompt_tokens_details = { ...usage.prompt_tokens_details, cache_write_1h_tokens: 50_000 }
  step(request(['a']), usage)
  wait(3_000_000)

  expect(step(request(['a', 'b', 'c']), big(0, 60_000))).toEqual({
    expected: 50_000,
    read: 0,
    lostNanoUsd: 50_000 * 4_800,
    culprit: 'vendor',
  })
})

test('a message in the middle that changed is the client’s, with its place', () => {
  const { step } = startGuardian()
  step(request(['a', 'b', 'c', 'd', 'e']), big(0, 50_000))

  expect(step(request(['a', 'b', 'X', 'd', 'e', 'f', 'g']), big(10_000, 50_000))).toMatchObject({
    culprit: 'client',
    place: { part: 'message', at: 3 },
  })
})

test('an effort that Modelport chose is Modelport’s', () => {
  const { step } = startGuardian()
  const first = request(['a'])
  const second = request(['a', 'b', 'c'])
  step(first, big(0, 50_000), { body: { ...first, output_config: { effort: 'high' } } })
  const body = { ...second, output_config: { effort: 'low' } }

  expect(step(second, big(0, 60_000), { body, adjusted: ['reasoning_effort'] })).toMatchObject({
    culprit: 'modelport',
    place: { part: 'effort' },
    adjusted: ['reasoning_effort'],
  })
})

test('of a vendor without promise, only a fall against its own week raises an alarm', () => {
  const { step } = startGuardian(candidate({ modelId: 'google:gemini-3.5-flash', price }))
  const texts: string[] = ['a']
  const next = (isBroken: boolean) => {
    texts.push('b', 'c')
    const read = isBroken ? 0 : 50_000
    const usage = big(read, 0)
    return step(request(texts), {
      ...usage,
      prompt_tokens: 50_000,
      prompt_tokens_details: { cached_tokens: read },
    })
  }
  next(true)
  const usual = Array.from({ length: 300 }, (_, nth) => next(nth % 7 === 0))
  expect(usual.filter((verdict) => verdict?.alarm === true)).toEqual([])

  const fallen = Array.from({ length: 50 }, (_, nth) => next(nth % 2 === 0))
  expect(fallen.filter((verdict) => verdict?.alarm === true)).toHaveLength(1)
})
