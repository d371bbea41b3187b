/** The shadow samples of each router as one run, so that they are listed, exported and forgotten like tuning runs. */
import type { Router } from '../../../shared/entities.ts'
import {
  shadowRunPrefix,
  type TuningModelResult,
  type TuningResult,
  type TuningRun,
} from '../../../shared/tuning/tuning-run.ts'
import type { AppliesTo, JudgedPrompt } from '../../../shared/tuning/tuning.ts'
import { utcDay } from '../../chat/admission/quota.ts'
import { DashboardError } from '../../dashboard/dashboard.ts'
import type { JudgedPromptStore } from '../../storage/judged-prompt-store.ts'
import type { ShadowSampleStore, ShadowSummary } from '../../storage/shadow-sample-store.ts'
import { judgeErrorRate } from '../judge.ts'
import { learnedByRouter, type LearnedSources } from '../learned-quality.ts'
import { nanoUsdOf } from '../nano-usd.ts'
import { judgeResult, toJudgedPrompts } from '../result.ts'
import { modelResult, type FinishedPrompt } from '../result-tables.ts'
import { promptOutcomeSchema, storedReadingSchema } from '../tuning-outcome.ts'

export interface ShadowRunsOptions extends LearnedSources {
  store: Pick<ShadowSampleStore, 'summaries' | 'ofRouter' | 'repeated' | 'forget'>
  judgedPrompts: Pick<JudgedPromptStore, 'list' | 'applied'>
  now(): number
}

export function isShadowRun(id: string): boolean {
  return id.startsWith(shadowRunPrefix)
}

export function shadowRunId(routerId: string): string {
  return `${shadowRunPrefix}${routerId}`
}

export class ShadowRuns {
  readonly #options: ShadowRunsOptions

  constructor(options: ShadowRunsOptions) {
    this.#options = options
  }

  /** Runs of the routers that sample, and of those that have samples. */
  async list(): Promise<TuningRun[]> {
    const { store, judgedPrompts, routers, now } = this.#options
    const summaries = await store.summaries(utcDay(now()))
    const applied = await judgedPrompts.applied()
    const sampling = [...routers().values()].filter(({ routing }) => routing.shadow !== null)
    const ids = new Set([
      ...sampling.map(({ id }) => id),
      ...summaries.filter(hasSamples).map(({ routerId }) => routerId),
    ])
    return [...ids].map((routerId) =>
      toRun(routerId, {
        router: routers().get(routerId),
        summary: summaries.find((one) => one.routerId === routerId) ?? noSamples(routerId),
        appliesTo: applied.get(shadowRunId(routerId)) ?? 'all',
        nowMs: now(),
      }),
    )
  }

  /** @throws DashboardError not_found */
  async get(id: string): Promise<TuningRun> {
    const found = (await this.list()).find((run) => run.id === id)
    if (!found) throw new DashboardError('not_found', `There are no shadow samples ${id}.`, 'id')
    return found
  }

  /** @returns null without a sample @throws DashboardError not_found */
  async result(id: string): Promise<TuningResult | null> {
    const run = await this.get(id)
    const prompts = await this.#prompts(run.routerId)
    if (prompts.length === 0) return null
    const models = [
      ...new Set(prompts.flatMap(({ outcome }) => outcome.answers.map(({ model }) => model))),
    ]
    const results = models.map((model) => modelResult(model, prompts))
    const judge = judgeResult(run.judge, prompts)
    const learned = (await learnedByRouter(run.routerId, this.#options)) ?? []
    const summary = summaryOf(results)
    return { run, models: results, learned, judge, change: null, summary, notes: [] }
  }

  /** @throws DashboardError not_found */
  async export(id: string): Promise<JudgedPrompt[]> {
    const { routerId, judge } = await this.get(id)
    const repeated = judge === null ? [] : await this.#options.store.repeated(routerId, judge)
    return toJudgedPrompts(await this.#prompts(routerId), judgeErrorRate(repeated))
  }

  /** @throws DashboardError not_found */
  async forget(id: string): Promise<void> {
    await this.#options.store.forget((await this.get(id)).routerId)
  }

  async #prompts(routerId: string): Promise<FinishedPrompt[]> {
    const samples = await this.#options.store.ofRouter(routerId)
    return samples.map(({ reading, outcome }) => ({
      reading: storedReadingSchema.parse(JSON.parse(reading)),
      outcome: promptOutcomeSchema.parse(JSON.parse(outcome)),
    }))
  }
}

/** Fewest graded answers for a comparison of models. */
const leastGraded = 10

function summaryOf(models: readonly TuningModelResult[]): string {
  const [best, second] = models
    .filter(({ all }) => all.prompts >= leastGraded)
    .toSorted((a, b) => meanOf(b) - meanOf(a))
  if (!best || !second) {
    return `Fewer than two models have ${leastGraded} grades, so no model can be called better yet.`
  }
  return `${best.model} has the best grades: ${meanOf(best).toFixed(2)} on ${best.all.prompts} requests.`
}

function meanOf({ all }: TuningModelResult): number {
  return all.quality?.mean ?? 0
}

function hasSamples({ graded, failed, dropped, overCap }: ShadowSummary): boolean {
  return graded + failed + dropped + overCap > 0
}

interface RunSources {
  router: Router | undefined
  summary: ShadowSummary
  appliesTo: AppliesTo
  nowMs: number
}

function toRun(routerId: string, { router, summary, appliesTo, nowMs }: RunSources): TuningRun {
  const { graded, failed, firstAtMs, lastAtMs } = summary
  return {
    id: shadowRunId(routerId),
    routerId,
    from: 'shadow',
    fileName: null,
    appliesTo,
    stoppedBy: null,
    message: messageOf(summary),
    createdAtMs: firstAtMs ?? nowMs,
    endedAtMs: lastAtMs,
    prompts: { total: graded + failed, graded, ungraded: failed },
    requests: { answered: graded, failed, lost: 0 },
    leftMs: null,
    ...ofRouter(router, routerId),
    ...moneyOf(router, summary),
  }
}

function ofRouter(router: Router | undefined, routerId: string) {
  const { name = routerId, models = [], routing = null } = router ?? {}
  const shadow = routing?.shadow ?? null
  const state = shadow === null ? ('done' as const) : ('sampling' as const)
  return { routerName: name, models, judge: shadow?.judge ?? null, state }
}

function moneyOf(router: Router | undefined, { spentNanoUsd }: ShadowSummary) {
  const capNanoUsd = nanoUsdOf(router?.routing.shadow?.maxUsdPerDay ?? 0)
  const leftNanoUsd = Math.max(0, capNanoUsd - spentNanoUsd)
  return {
    capUsd: capNanoUsd / 1e9,
    spentUsd: spentNanoUsd / 1e9,
    reservedUsd: 0,
    leftUsd: leftNanoUsd / 1e9,
  }
}

function noSamples(routerId: string): ShadowSummary {
  const counts = { graded: 0, failed: 0, dropped: 0, overCap: 0, spentNanoUsd: 0 }
  return { routerId, firstAtMs: null, lastAtMs: null, ...counts }
}

function messageOf({ dropped, overCap }: ShadowSummary): string | null {
  const sentences = [
    ...(dropped > 0 ? [`${counted(dropped)} left out because too many were waiting.`] : []),
    ...(overCap > 0 ? [`${counted(overCap)} left out because of the cap per day.`] : []),
  ]
  return sentences.length === 0 ? null : sentences.join(' ')
}

function counted(samples: number): string {
  return samples === 1 ? '1 sample was' : `${samples} samples were`
}
