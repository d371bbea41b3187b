/**
 * What judged prompts teach, in memory, so that a request costs no query and no fit. It is learnt again within a
 * second after rows change by any process, when ratings or the configuration change, and once a day, because
 * older rows count less. Routers share what they learn, except those with prompts that apply to them alone.
 */
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { QualityPrior } from '../routing/candidate.ts'
import { learnOwn, nothingOwn, type OwnKnowledge } from '../routing/own-knowledge.ts'
import { growthSince } from '../storage/feedback-decay.ts'
import {
  teaches,
  type JudgedPromptStore,
  type StoredJudgedPrompt,
} from '../storage/judged-prompt-store.ts'
import { lookAfterChanges } from '../storage/look-again.ts'
import type { Storage } from '../storage/storage.ts'

const pollMs = 1_000
const minuteMs = 60_000
const dayMs = 86_400_000

export interface LiveOwnKnowledge {
  /** What the router learnt. */
  of(routerId: string): OwnKnowledge
  /** All stored rows. */
  prompts(): readonly StoredJudgedPrompt[]
  /** Called when ratings may have changed: learns again from the rows in memory within a second. */
  ratingsChanged(): void
  close(): void
}

export interface LiveOwnOptions {
  store: Pick<JudgedPromptStore, 'version' | 'list'>
  onChange: Storage['onChange']
  /** The present ratings of the models in use. */
  priorsNow(): ReadonlyMap<string, QualityPrior>
  /** Unix milliseconds. */
  now(): number
  /** Called when the store could not be read; what was learnt stays in use. */
  onError(error: unknown): void
}

/** @throws StorageUnavailable */
export async function openLiveOwnKnowledge({
  store,
  onChange,
  priorsNow,
  now,
  onError,
}: LiveOwnOptions): Promise<LiveOwnKnowledge> {
  const read = async () => {
    // Read the version first, so that changes during the read cause another one.
    const version = await store.version()
    return { version, prompts: await store.list() }
  }
  let rows = await read()
  let learntAtMs = now()
  let shared = nothingOwn
  let byRouter: ReadonlyMap<string, OwnKnowledge> = new Map()
  let isStale = false
  const learn = async () => {
    const { prompts } = rows
    learntAtMs = now()
    isStale = false
    const nowGrowth = growthSince(learntAtMs)
    const weightOf = ({ atMs }: { atMs: number }) => Math.min(1, growthSince(atMs) / nowGrowth)
    const priors = priorsNow()
    const priorOf = (modelId: string) => priors.get(modelId) ?? null
    const learnFrom = (isUsed: (prompt: StoredJudgedPrompt) => boolean) =>
      learnOwn({ prompts: prompts.filter(isUsed), weightOf, priorOf })
    const ofAll = learnFrom(({ appliesTo }) => appliesTo === 'all')
    const own = new Map<string, OwnKnowledge>()
    for (const routerId of routersWithOwn(prompts)) {
      // A fit takes up to some 0.1 s: requests are answered between two of them.
      await nextIteration()
      own.set(
        routerId,
        learnFrom((prompt) => teaches(prompt, routerId)),
      )
    }
    // Other rows were read in the meantime, and what they teach is known already or soon.
    if (prompts !== rows.prompts) return
    shared = ofAll
    byRouter = own
  }
  await learn()
  const poll = async () => {
    const isChanged = (await store.version()) !== rows.version
    if (isChanged) rows = await read()
    if (isChanged || isStale || Math.abs(now() - learntAtMs) > dayMs) await learn()
  }
  const often = { periodMs: pollMs, longestMs: minuteMs }
  const looks = lookAfterChanges({ onChange, ...often, look: poll, onError })
  return {
    of: (routerId) => byRouter.get(routerId) ?? shared,
    prompts: () => rows.prompts,
    ratingsChanged: () => {
      isStale = true
      looks.lookSoon()
    },
    close: looks.stop,
  }
}

function routersWithOwn(prompts: readonly StoredJudgedPrompt[]): Set<string> {
  const own = prompts.filter(({ appliesTo }) => appliesTo === 'router')
  return new Set(own.map(({ routerId }) => routerId))
}
