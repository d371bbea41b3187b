/**
 * What judged prompts teach, in memory, so that a request costs no query and no fit. It is learnt again within a
 * second after rows change by any process, when ratings or the configuration change, and once a day, because
 * older rows count less.
 */
import type { JudgedPrompt } from '../../shared/tuning/tuning.ts'
import type { QualityPrior } from '../routing/candidate.ts'
import { learnOwn, nothingOwn, type OwnKnowledge } from '../routing/own-knowledge.ts'
import { growthSince } from '../storage/feedback-decay.ts'
import type { JudgedPromptStore } from '../storage/judged-prompt-store.ts'
import { lookEvery } from '../storage/look-again.ts'

const pollMs = 1_000
const dayMs = 86_400_000

export interface LiveOwnKnowledge {
  current(): OwnKnowledge
  /** The rows it was learnt from. */
  prompts(): readonly JudgedPrompt[]
  /** Called when ratings may have changed: the next poll learns again from the rows in memory. */
  ratingsChanged(): void
  close(): void
}

export interface LiveOwnOptions {
  store: Pick<JudgedPromptStore, 'version' | 'list'>
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
  let current = nothingOwn
  let isStale = false
  const learn = () => {
    learntAtMs = now()
    isStale = false
    const nowGrowth = growthSince(learntAtMs)
    const weightOf = ({ atMs }: { atMs: number }) => Math.min(1, growthSince(atMs) / nowGrowth)
    const priors = priorsNow()
    const priorOf = (modelId: string) => priors.get(modelId) ?? null
    current = learnOwn({ prompts: rows.prompts, weightOf, priorOf })
  }
  learn()
  const poll = async () => {
    const isChanged = (await store.version()) !== rows.version
    if (isChanged) rows = await read()
    if (isChanged || isStale || Math.abs(now() - learntAtMs) > dayMs) learn()
  }
  const stopPolls = lookEvery(pollMs, () => void poll().catch(onError))
  return {
    current: () => current,
    prompts: () => rows.prompts,
    ratingsChanged: () => {
      isStale = true
    },
    close: stopPolls,
  }
}
