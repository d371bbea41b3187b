/** Runs with random models, prompts, failures, crashes and caps: none spends more than its cap. */
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { seeded } from '../../../test/agents/random.ts'
import {
  between,
  randomAsker,
  randomCandidate,
  type Bill,
  type Random,
} from '../../../test/tuning/random-models.ts'
import { randomSeeds } from '../../../test/torture/amounts.ts'
import { tuningStoreInMemory } from '../../../test/tuning/tuning-store.ts'
import type { Candidate } from '../routing/candidate.ts'
import type { TuningRunStore } from '../storage/tuning-run-store.ts'
import { runPrompts, type RunPrompt } from './run-prompts.ts'

const seeds = randomSeeds({ quick: 150, full: 1_000 })

function randomPrompts(random: Random, candidates: readonly Candidate[]): RunPrompt[] {
  return Array.from({ length: between(random, 1, 6) }, (_item, position) => {
    const content = 'prompt – 例 '.repeat(between(random, 1, 60))
    const check = { type: 'exact' as const, expected: ['right'] }
    return {
      position,
      prompt: {
        messages: [{ role: 'user', content }],
        check: random() < 0.5 ? check : null,
        reference: null,
      },
      reading: {
        id: `${position}`,
        promptTokens: 100,
        domains: [1],
        topics: [1],
        confidence: 1,
        gain: 0,
        difficulty: 0,
        form: [],
        domain: null,
        grade: null,
        startLogits: Object.fromEntries(candidates.map(({ modelId }) => [modelId, random()])),
      },
      isRepeated: random() < 0.2,
    }
  })
}

/** The same store for a process that stops in the middle of anything once it is dead. */
function mortal(store: TuningRunStore, isDead: () => boolean): TuningRunStore {
  const functions = Object.entries(store).map(([name, run]) => {
    const call = run as (...args: unknown[]) => Promise<unknown>
    const untilDead = async (...args: unknown[]) => {
      if (isDead()) return await new Promise<never>(() => {})
      const result = await call(...args)
      return isDead() ? await new Promise<never>(() => {}) : result
    }
    return [name, untilDead]
  })
  return Object.fromEntries(functions) as TuningRunStore
}

interface Model {
  id: string
  random: Random
  store: TuningRunStore
  candidates: readonly Candidate[]
  judge: Candidate | null
  prompts: readonly RunPrompt[]
  bill: Bill
}

/** One process: executes the run until it ends or crashes. */
async function execute({
  id,
  random,
  store,
  candidates,
  judge,
  prompts,
  bill,
}: Model): Promise<void> {
  let isDead = false
  const crash = new AbortController()
  const ask = randomAsker(random, bill, () => {
    isDead = true
    crash.abort()
  })
  const own = mortal(store, () => isDead)
  const stored = await store.get(id)
  const open = (await store.prompts(id)).filter(({ outcome }) => outcome === null)
  const ended = runPrompts({
    runId: id,
    holder: 'test',
    store: own,
    ask,
    gradeByCheck: (_check, answer) => Promise.resolve(answer === 'right' ? 1 : 0),
    candidates,
    judge,
    prompts: open.flatMap(({ position }) => prompts[position] ?? []),
    stored: await store.requests(id),
    maxAnswerTokens: 500,
    lnOutputTokensOf: () => [],
    capNanoUsd: stored?.capNanoUsd ?? 0,
    spentNanoUsd: stored?.spentNanoUsd ?? 0,
    newFence: () => 'fence',
    stop: new AbortController().signal,
    cancel: new AbortController().signal,
    wait: () => Promise.resolve(),
    now: () => 0,
    onProgress: () => {},
  })
  await Promise.race([ended, once(crash.signal, 'abort')])
}

/** Runs at random, and returns whether all is counted and within the cap, and what happened to it. */
async function randomRun(seed: number, store: TuningRunStore) {
  const random = seeded(seed).next
  const candidates = Array.from({ length: between(random, 1, 4) }, (_item, index) =>
    randomCandidate(random, index),
  )
  const judge = randomCandidate(random, 9)
  const prompts = randomPrompts(random, candidates)
  const bill: Bill = { nanoUsd: 0 }
  const id = `run-${seed}`
  // From far below one prompt to more than all of them.
  const capNanoUsd = Math.floor(10 ** (7.5 + 2.5 * random()))
  const lease = { holder: 'test', nowMs: 0, expiresAtMs: 0 }
  const stored = prompts.map(({ position }) => ({ position, text: '{}', reading: '{}' }))
  const row = { id, routerId: 'r', createdAtMs: 0, setup: '{}', capNanoUsd, prompts: stored }
  await store.create(row, lease)
  for (let processes = 0; processes < 4; processes += 1) {
    await execute({ id, random, store, candidates, judge, prompts, bill })
    // The next process finds the lease expired, as after kill -9.
    await store.resume(id, { ...lease, nowMs: 1 }, null)
  }
  const ended = await store.get(id)
  if (ended === null) throw new Error('the run is gone')
  const { total, graded, ungraded } = ended.prompts
  const countedNanoUsd = ended.spentNanoUsd + ended.reservedNanoUsd
  return {
    seed,
    isKept: bill.nanoUsd <= countedNanoUsd && countedNanoUsd <= capNanoUsd,
    hasLost: ended.requests.lost > 0,
    isWhole: graded + ungraded === total,
  }
}

test('never spends more than the cap, in random runs', { timeout: 240_000 }, async () => {
  const store = tuningStoreInMemory()
  const ended = []
  for (const seed of seeds) ended.push(await randomRun(seed, store))

  expect(ended.filter(({ isKept }) => !isKept).map(({ seed }) => seed)).toEqual([])
  // The runs cover what they are about: crashes, runs that their cap ends, and runs that ask everything.
  const tenth = seeds.length / 10
  expect(ended.filter(({ hasLost }) => hasLost).length).toBeGreaterThan(tenth)
  expect(ended.filter(({ isWhole }) => isWhole).length).toBeGreaterThan(tenth)
  expect(ended.filter(({ isWhole }) => !isWhole).length).toBeGreaterThan(tenth)
})
