import { expect, test } from 'vitest'
import { seeded } from '../../../../test/agents/random.ts'
import {
  between,
  randomAsker,
  randomCandidate,
  type Bill,
} from '../../../../test/tuning/random-models.ts'
import {
  answeredRequest,
  answering,
  decided,
  deferred,
  newSampler,
  sampledRouter,
} from '../../../../test/tuning/sample-shadow.ts'
import { randomSeeds } from '../../../../test/torture/amounts.ts'
import { shadowStoreInMemory } from '../../../../test/tuning/tuning-store.ts'
import { topicNames } from '../../../shared/routers/topics.ts'
import { candidate } from '../../../../test/routing/sample-candidates.ts'
import type { ShadowSampleStore } from '../../storage/shadow-sample-store.ts'
import { nanoUsdOf } from '../nano-usd.ts'

const dayMs = 86_400_000

async function gradedIn(store: ShadowSampleStore): Promise<number> {
  return (await store.ofRouter('router_1')).length
}

test('draws the share of requests that the setting names', () => {
  const random = seeded(1).next
  const { sampler } = newSampler({ random })
  const router = sampledRouter({ share: 0.05 })
  const drawn = Array.from({ length: 10_000 }, () => sampler.isDrawn(router)).filter(Boolean)
  expect(drawn.length).toBeGreaterThan(400)
  expect(drawn.length).toBeLessThan(600)
  expect(Array.from({ length: 100 }, () => sampler.isDrawn(sampledRouter())).every(Boolean)).toBe(
    true,
  )
})

test('asks nothing before the caller’s answer has left', async () => {
  const hasLeft = deferred()
  const { sampler, asked } = newSampler({ afterAnswer: () => hasLeft.promise })
  sampler.answered(answeredRequest())
  await new Promise(setImmediate)
  expect(asked).toEqual([])
  hasLeft.resolve()
  await sampler.idle()
  expect(asked[0]).toBe('p:llama-second')
})

test('a full queue drops samples and counts them', async () => {
  const store = shadowStoreInMemory()
  const released = deferred()
  const { sampler } = newSampler({
    store,
    askerFor: () => async (question, signal) => {
      await released.promise
      return await answering(question, signal)
    },
  })
  for (let sent = 0; sent < 40; sent += 1) sampler.answered(answeredRequest())
  released.resolve()
  await sampler.idle()
  const [summary] = await store.summaries('1970-01-01')
  expect(summary).toMatchObject({ graded: 32, dropped: 8, failed: 0 })
})

test('a closed sampler forgets its queue, and a request under way counts at its highest cost', async () => {
  const store = shadowStoreInMemory()
  const bothStarted = deferred()
  let running = 0
  const { sampler, asked } = newSampler({
    store,
    askerFor: () => async (_question, signal) => {
      running += 1
      if (running === 2) bothStarted.resolve()
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve, { once: true })
      })
      const failure = { retryAfterMs: null, reason: 'model', message: 'cancelled' } as const
      return { kind: 'failed', costNanoUsd: null, ...failure }
    },
  })
  for (let sent = 0; sent < 5; sent += 1) sampler.answered(answeredRequest())
  await bothStarted.promise
  await sampler.close()
  const before = asked.length
  sampler.answered(answeredRequest())
  await sampler.idle()
  expect(sampler.isDrawn(sampledRouter())).toBe(false)
  expect([before, asked.length]).toEqual([2, 2])
  const [summary] = await store.summaries('1970-01-01')
  expect(summary).toMatchObject({ graded: 0, failed: 0, dropped: 0 })
  expect(summary?.spentNanoUsd).toBeGreaterThan(1_000_000)
})

test('a setting that was turned off while a request waited is respected', async () => {
  const { sampler, asked } = newSampler({ routers: () => new Map() })
  sampler.answered(answeredRequest())
  await sampler.idle()
  expect(asked).toEqual([])
})

test.each([
  [
    'at an effort that the router chose',
    { decision: decided([{ model: 'p:gpt-first', effort: 'low' }, { model: 'p:llama-second' }]) },
  ],
  ['of the judge’s family', { model: 'p:claude-own' }],
  [
    'of a model that the caller named',
    { decision: { ...decided([{ model: 'p:gpt-first' }]), strategy: 'pinned' as const } },
  ],
])('an answer %s is not sampled', async (_name, given) => {
  const { sampler, asked } = newSampler()
  sampler.answered(answeredRequest(given))
  await sampler.idle()
  expect(asked).toEqual([])
})

test('sends the caller’s parameters without what identifies them', async () => {
  const bodies: object[] = []
  const { sampler } = newSampler({
    askerFor: () => (question, signal) => {
      bodies.push(question.body)
      return answering(question, signal)
    },
  })
  const messages = [{ role: 'user' as const, content: 'Why do tides follow the moon?' }]
  const own = { user: 'ann', metadata: { team: 'a' }, prompt_cache_key: 'b' }
  const body = {
    messages,
    temperature: 0.2,
    seed: 7,
    max_completion_tokens: 50,
    stream: true,
    ...own,
  }
  sampler.answered(answeredRequest({ body }))
  await sampler.idle()
  expect(bodies[0]).toEqual({ messages, temperature: 0.2, seed: 7, max_tokens: 50 })
})

test('after a sample that the cap did not cover, none is drawn for a minute', async () => {
  let nowMs = 0
  const router = sampledRouter({ maxUsdPerDay: 0.0001 })
  const store = shadowStoreInMemory()
  const routers = () => new Map([[router.id, router]])
  const { sampler, asked } = newSampler({ store, routers, now: () => nowMs })
  sampler.answered(answeredRequest({ router }))
  await sampler.idle()
  expect(asked).toEqual([])
  expect(await store.summaries('1970-01-01')).toMatchObject([{ overCap: 1, spentNanoUsd: 0 }])
  expect(sampler.isDrawn(router)).toBe(false)
  nowMs = 60_000
  expect(sampler.isDrawn(router)).toBe(true)
})

test('a model that costs more than its request allows is asked no more', async () => {
  const { sampler, asked } = newSampler({
    askerFor: () => async (question, signal) => {
      const answer = await answering(question, signal)
      return question.isJudge ? answer : { ...answer, costNanoUsd: 1e12 }
    },
    routers: () => new Map([['router_1', sampledRouter({ maxUsdPerDay: 10_000 })]]),
  })
  for (let sent = 0; sent < 3; sent += 1) {
    sampler.answered(answeredRequest())
    await sampler.idle()
  }
  const answers = asked.filter((model) => model !== 'p:claude-judge')
  expect(answers).toEqual(['p:llama-second', 'p:qwen-third'])
})

/** Days of random requests, models and failures; a crash leaves a request under way, and another process goes on. */
async function randomDays(seed: number, store: ShadowSampleStore) {
  const random = seeded(seed).next
  const id = `router_${seed}`
  const candidates = Array.from({ length: between(random, 2, 4) }, (_item, index) => ({
    ...randomCandidate(random, index),
    isLocal: false,
  }))
  const judge = { ...randomCandidate(random, 9), modelId: 'p1:grok-judge' }
  const ids = candidates.map(({ modelId }) => modelId)
  const maxUsdPerDay = 10 ** (-1.5 + 2 * random())
  const router = { ...sampledRouter({ maxUsdPerDay, judge: judge.modelId }), id, models: ids }
  const bills: Bill[] = [0, 1, 2].map(() => ({ nanoUsd: 0 }))
  for (const [day, bill] of bills.entries()) {
    let crashed = deferred()
    const start = () =>
      newSampler({
        store,
        random,
        routers: () => new Map([[id, router]]),
        candidatesOf: () => [...candidates, judge],
        now: () => day * dayMs,
        newId: () => crypto.randomUUID(),
        askerFor: () => randomAsker(random, bill, () => crashed.resolve()),
      }).sampler
    let sampler = start()
    const send = () => {
      const content = 'prompt – 例 '.repeat(between(random, 1, 60))
      const body = { messages: [{ role: 'user' as const, content }] }
      const decision = decided(ids.map((model) => ({ model })))
      sampler.answered(answeredRequest({ router, body, decision, model: ids[0] ?? '' }))
    }
    for (let batch = 0; batch < 4; batch += 1) {
      for (let sent = between(random, 1, 4); sent > 0; sent -= 1) send()
      const hasCrashed = crashed.promise.then(() => true)
      if (await Promise.race([hasCrashed, sampler.idle().then(() => false)])) {
        crashed = deferred()
        sampler = start()
      }
    }
    // What the process before a crash had under way ends, too.
    await new Promise(setImmediate)
  }
  const days = ['1970-01-01', '1970-01-02', '1970-01-03']
  const spent = await Promise.all(days.map((day) => store.spent({ routerId: id, day })))
  const capNanoUsd = nanoUsdOf(maxUsdPerDay)
  const isKept = spent.every(
    (nanoUsd, day) => (bills[day]?.nanoUsd ?? 0) <= nanoUsd && nanoUsd <= capNanoUsd,
  )
  const summary = (await store.summaries('1970-01-01')).find(({ routerId }) => routerId === id)
  return { seed, isKept, graded: summary?.graded ?? 0, overCap: summary?.overCap ?? 0 }
}

test('never spends more than the cap of a day, in random runs', async () => {
  const seeds = randomSeeds({ quick: 150, full: 1_000 })
  const store = shadowStoreInMemory()
  const runs = []
  for (const seed of seeds) runs.push(await randomDays(seed, store))
  expect(runs.filter(({ isKept }) => !isKept).map(({ seed }) => seed)).toEqual([])
  // The runs cover what they are about: graded samples, and days that end at their cap.
  expect(runs.filter(({ graded }) => graded > 0).length).toBeGreaterThan(seeds.length / 10)
  expect(runs.filter(({ overCap }) => overCap > 0).length).toBeGreaterThan(seeds.length / 10)
})

test('grades the first samples twice, to measure the judge', async () => {
  const store = shadowStoreInMemory()
  const { sampler, asked } = newSampler({ store })
  for (let sent = 0; sent < 22; sent += 1) {
    sampler.answered(answeredRequest())
    await sampler.idle()
  }
  expect(await gradedIn(store)).toBe(22)
  const byJudge = asked.filter((model) => model === 'p:claude-judge').length
  expect(byJudge).toBe(4 * 20 + 2 * 2)
})

test('a long limit of the second answer does not need a cap for text that the judge is never shown', async () => {
  const router = sampledRouter({ maxUsdPerDay: 0.3 })
  const { sampler, asked } = newSampler({
    routers: () => new Map([[router.id, router]]),
    candidatesOf: () =>
      ['p:gpt-first', 'p:llama-second', 'p:claude-judge'].map((modelId) =>
        candidate({ modelId, contextTokens: null, maxOutputTokens: null, price }),
      ),
    knowledgeOf: () => ({ lnOutputTokens: topicNames.map(() => Math.log(8_000)) }),
  })
  sampler.answered(answeredRequest({ router }))
  await sampler.idle()
  expect(asked[0]).toBe('p:llama-second')
})

const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 2 }
