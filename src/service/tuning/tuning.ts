/** Tuning runs of this process, and the stored ones of all processes. The window and the command line share it. */
import type { Router } from '../../shared/entities.ts'
import { formatUsd } from '../../shared/strings/format.ts'
import { inputMessage } from '../../shared/chat/input-messages.ts'
import { makesEmbeddings } from '../../shared/models/model-abilities.ts'
import {
  leastPrompts,
  tuningApplySchema,
  tuningPlanSchema,
  tuningResumeSchema,
  tuningStartSchema,
  type TuningApplyInput,
  type TuningPlan,
  type TuningPlanInput,
  type TuningResult,
  type TuningResumeInput,
  type TuningRun,
  type TuningStartInput,
} from '../../shared/tuning/tuning-run.ts'
import type { AppliesTo, JudgedPrompt } from '../../shared/tuning/tuning.ts'
import type { z } from 'zod'
import { DashboardError } from '../dashboard/dashboard.ts'
import { isNamed, type Candidate } from '../routing/candidate.ts'
import type { StoredTuningRun } from '../storage/tuning-run-store.ts'
import { tunedRouter } from './chat-asker.ts'
import { learnedByRouter } from './learned-quality.ts'
import { nanoUsdOf } from './nano-usd.ts'
import { isTooFew, planRun, type RunPlan } from './plan-run.ts'
import { finishedPrompts, RunningRun } from './running-run.ts'
import { toJudgedPrompts } from './result.ts'
import { isShadowRun, ShadowRuns } from './shadow/shadow-runs.ts'
import { sourcePrompts } from './source-prompts.ts'
import { toTuningRun } from './to-tuning-run.ts'
import type { TuningDependencies } from './tuning-dependencies.ts'
import { runSetupSchema, type RunSetup } from './tuning-outcome.ts'

export interface Tuning {
  /** Plans a run; nothing is sent. @throws DashboardError invalid, not_found */
  plan(input: TuningPlanInput): Promise<TuningPlan>
  /** Resolves once the run is stored and under way. @throws DashboardError invalid, not_found */
  start(input: TuningStartInput): Promise<TuningRun>
  /** Stops a run: no request begins any more; those in progress end. Works on runs of other processes too. */
  stop(id: string): Promise<TuningRun>
  /** Sends the requests that were not sent yet. @throws DashboardError not_found, in_use, invalid */
  resume(input: TuningResumeInput): Promise<TuningRun>
  /** Sets which routers learn from a run; it can be changed again at any time. @throws DashboardError not_found */
  apply(input: TuningApplyInput): Promise<TuningRun>
  /** Runs, newest first, then the shadow samples of each router. */
  list(): Promise<TuningRun[]>
  /** @throws DashboardError not_found */
  get(id: string): Promise<TuningRun>
  /** @returns null while the run has not ended once @throws DashboardError not_found */
  result(id: string): Promise<TuningResult | null>
  /** The judged prompts of a run: numbers without a word of a prompt. @throws DashboardError not_found */
  export(id: string): Promise<JudgedPrompt[]>
  /** Deletes a run and what routing learned from it. @throws DashboardError not_found, in_use */
  forget(id: string): Promise<void>
  /** Resolves when the run of this process has ended; at once for any other. */
  ended(id: string): Promise<void>
  /** Stops the runs of this process; they can be resumed. */
  close(): Promise<void>
}

export function createTuning(dependencies: TuningDependencies): Tuning {
  return new Runs(dependencies)
}

interface Prepared {
  router: Router
  candidates: Candidate[]
  judge: Candidate | null
}

class Runs implements Tuning {
  readonly #dependencies: TuningDependencies
  readonly #running = new Map<string, RunningRun>()
  readonly #shadow: ShadowRuns

  constructor(dependencies: TuningDependencies) {
    const { shadowSamples: store } = dependencies
    this.#dependencies = dependencies
    this.#shadow = new ShadowRuns({ ...dependencies, store })
  }

  async plan(input: TuningPlanInput): Promise<TuningPlan> {
    const given = parse(tuningPlanSchema, input)
    const prepared = this.#prepare(given.routerId, given.judge)
    const plan = await this.#planFor(given, prepared)
    const { router, candidates, judge } = prepared
    const checked = plan.chosen.filter(({ prompt }) => prompt.check !== null).length
    return {
      routerId: router.id,
      routerName: router.name,
      models: candidates.map(({ modelId }) => modelId),
      leftOut: this.#leftOut(router),
      judge: judge?.modelId ?? null,
      prompts: {
        found: plan.found,
        duplicates: plan.duplicates,
        ungradable: plan.ungradable,
        chosen: plan.chosen.length,
        checked,
        judged: plan.chosen.length - checked,
      },
      cost: plan.cost,
      leastCapUsd: plan.leastCapNanoUsd / 1e9,
      expectedMs: plan.expectedMs,
      notes: plan.notes,
    }
  }

  async start(input: TuningStartInput): Promise<TuningRun> {
    const { capUsd, ...given } = parse(tuningStartSchema, input)
    const prepared = this.#prepare(given.routerId, given.judge)
    const plan = await this.#planFor(given, prepared)
    const capNanoUsd = nanoUsdOf(capUsd)
    refuseUnusable(plan, capNanoUsd)
    const { store, newId, now } = this.#dependencies
    const { prompts, maxAnswerTokens } = given
    const setup: RunSetup = {
      from: prompts.from,
      fileName: prompts.from === 'file' ? prompts.name : null,
      models: prepared.candidates.map(({ modelId }) => modelId),
      judge: prepared.judge?.modelId ?? null,
      maxAnswerTokens,
    }
    const run = {
      id: newId(),
      routerId: given.routerId,
      createdAtMs: now(),
      setup: JSON.stringify(setup),
      capNanoUsd,
      prompts: plan.chosen.map(({ prompt, reading }, position) => ({
        position,
        text: JSON.stringify({
          messages: prompt.messages,
          check: prompt.check,
          reference: prompt.reference,
        }),
        reading: JSON.stringify(reading),
      })),
    }
    const running = new RunningRun(run.id, { ...prepared, setup }, this.#dependencies)
    await store.create(run, running.lease())
    return await this.#launch(running)
  }

  async resume(input: TuningResumeInput): Promise<TuningRun> {
    const { id, capUsd } = parse(tuningResumeSchema, input)
    refuseShadow(id)
    const stored = await this.#stored(id)
    const setup = runSetupSchema.parse(JSON.parse(stored.setup))
    const prepared = this.#prepare(stored.routerId, setup.judge)
    const capNanoUsd = capUsd === undefined ? null : nanoUsdOf(capUsd)
    const candidates = prepared.candidates.filter(({ modelId }) => setup.models.includes(modelId))
    const running = new RunningRun(id, { ...prepared, candidates, setup }, this.#dependencies)
    if (!(await this.#dependencies.store.resume(id, running.lease(), capNanoUsd))) {
      throw new DashboardError('in_use', 'The run is under way already.', 'id')
    }
    return await this.#launch(running)
  }

  async stop(id: string): Promise<TuningRun> {
    refuseShadow(id)
    await this.#stored(id)
    await this.#dependencies.store.wantStop(id)
    this.#running.get(id)?.stop()
    return await this.get(id)
  }

  async apply(input: TuningApplyInput): Promise<TuningRun> {
    const { id, to } = parse(tuningApplySchema, input)
    await this.get(id)
    await this.#dependencies.judgedPrompts.apply(id, to)
    return await this.get(id)
  }

  async list(): Promise<TuningRun[]> {
    const { store, judgedPrompts } = this.#dependencies
    const [stored, applied] = await Promise.all([store.list(), judgedPrompts.applied()])
    const runs = stored.map((run) => this.#toRun(run, applied.get(run.id)))
    return [...runs, ...(await this.#shadow.list())]
  }

  async get(id: string): Promise<TuningRun> {
    if (isShadowRun(id)) return await this.#shadow.get(id)
    const applied = await this.#dependencies.judgedPrompts.applied()
    return this.#toRun(await this.#stored(id), applied.get(id))
  }

  async result(id: string): Promise<TuningResult | null> {
    if (isShadowRun(id)) return await this.#shadow.result(id)
    const stored = await this.#stored(id)
    if (stored.result === null) return null
    // Checked boundary: only `RunningRun` writes this column.
    const result = JSON.parse(stored.result) as Omit<TuningResult, 'run'>
    const learned = await learnedByRouter(stored.routerId, this.#dependencies)
    return { ...result, run: await this.get(id), learned: learned ?? result.learned }
  }

  async export(id: string): Promise<JudgedPrompt[]> {
    if (isShadowRun(id)) return await this.#shadow.export(id)
    await this.#stored(id)
    return toJudgedPrompts(finishedPrompts(await this.#dependencies.store.prompts(id)))
  }

  async forget(id: string): Promise<void> {
    if (isShadowRun(id)) return await this.#shadow.forget(id)
    const run = await this.get(id)
    if (run.state === 'running' || run.state === 'stopping') {
      throw new DashboardError('in_use', 'Stop the run before you delete it.', 'id')
    }
    const judged = await this.export(id)
    await this.#dependencies.judgedPrompts.remove(judged.map((prompt) => prompt.id))
    await this.#dependencies.store.remove(id)
  }

  async ended(id: string): Promise<void> {
    await this.#running.get(id)?.ended
  }

  async close(): Promise<void> {
    for (const running of this.#running.values()) running.close()
    await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  async #launch(running: RunningRun): Promise<TuningRun> {
    const { id } = running
    this.#running.set(id, running)
    const notify = async () => this.#dependencies.onChange(await this.get(id))
    running.start(notify)
    void running.ended.finally(() => this.#running.delete(id))
    return await this.get(id)
  }

  /** @throws DashboardError not_found, invalid */
  #prepare(routerId: string, judgeId: string | null): Prepared {
    const { routers, candidatesOf, outageOf } = this.#dependencies
    const router = routers().get(routerId)
    if (!router)
      throw new DashboardError('not_found', `There is no router ${routerId}.`, 'routerId')
    const tuned = tunedRouter(router, judgeId)
    const usable = candidatesOf(tuned).filter(
      (candidate) => outageOf(candidate) === null && !makesEmbeddings(candidate),
    )
    const judge = judgeId === null ? null : usable.find((candidate) => isNamed(candidate, judgeId))
    if (judge === undefined) {
      throw new DashboardError('invalid', `The model ${judgeId} cannot be used now.`, 'judge')
    }
    const candidates = usable.filter((candidate) =>
      router.models.some((model) => isNamed(candidate, model)),
    )
    if (candidates.length === 0) {
      const message = 'No model of this router can be used now.'
      throw new DashboardError('invalid', message, 'routerId')
    }
    return { router: tuned, candidates, judge }
  }

  #leftOut(router: Router): TuningPlan['leftOut'] {
    const { candidatesOf, outageOf } = this.#dependencies
    const candidates = candidatesOf(router)
    return router.models.flatMap((model) => {
      const candidate = candidates.find((one) => isNamed(one, model))
      if (!candidate) return { model, reason: 'It has no price, or its provider is not set up.' }
      if (makesEmbeddings(candidate))
        return { model, reason: 'It makes embeddings and cannot chat.' }
      const outage = outageOf(candidate)
      return outage === null ? [] : { model, reason: outage.message }
    })
  }

  async #planFor(
    { prompts, count, maxAnswerTokens }: z.output<typeof tuningPlanSchema>,
    prepared: Prepared,
  ): Promise<RunPlan> {
    const { newId, random } = this.#dependencies
    const knowledgeOf = (candidate: Candidate) =>
      this.#dependencies.knowledgeOf(candidate, prepared.router.id)
    const found = await sourcePrompts(prompts, prepared.router.id, this.#dependencies)
    const options = { ...prepared, prompts: found, count, maxAnswerTokens }
    return planRun({ ...options, knowledgeOf, newId, random })
  }

  async #stored(id: string): Promise<StoredTuningRun> {
    const stored = await this.#dependencies.store.get(id)
    if (stored === null) throw new DashboardError('not_found', `There is no run ${id}.`, 'id')
    return stored
  }

  #toRun(stored: StoredTuningRun, appliesTo: AppliesTo | undefined): TuningRun {
    const { routers, now } = this.#dependencies
    const routerName = routers().get(stored.routerId)?.name
    return toTuningRun(stored, { routerName, appliesTo, nowMs: now() })
  }
}

/** @throws DashboardError invalid */
function refuseShadow(id: string): void {
  if (!isShadowRun(id)) return
  const message = 'Shadow samples are turned on and off in the settings of their router.'
  throw new DashboardError('invalid', message, 'id')
}

/** @throws DashboardError invalid */
function refuseUnusable(plan: RunPlan, capNanoUsd: number): void {
  if (isTooFew(plan)) {
    const reason =
      plan.ungradable > 0
        ? ` ${plan.ungradable} of the prompts have no check, and no judge can grade them.`
        : ''
    const message = `${plan.chosen.length} prompts can be used, and a run needs ${leastPrompts}.${reason}`
    throw new DashboardError('invalid', message, 'prompts')
  }
  if (capNanoUsd >= plan.leastCapNanoUsd) return
  const least = formatUsd(Math.ceil(plan.leastCapNanoUsd / 1e5) / 1e4)
  const message = `A single prompt can cost ${least}. Enter at least this, or limit the answers.`
  throw new DashboardError('invalid', message, 'capUsd')
}

/** @throws DashboardError invalid, naming the first invalid field */
function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: inputMessage })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.join('.') ?? ''
  const message = issue?.message ?? 'The input is not valid.'
  throw new DashboardError('invalid', message, field === '' ? null : field)
}
