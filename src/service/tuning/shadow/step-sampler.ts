/**
 * Shadow steps: some steps of a coding agent's session are asked of another model as well, after the client has its answer. What
 * the other model would do is compared and forgotten; its calls are never run and never sent to anyone.
 */
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import type { Router } from '../../../shared/entities.ts'
import type { ShadowOutcome } from '../../../shared/requests/session-proof.ts'
import type { ShadowSteps } from '../../../shared/routers/shadow-settings.ts'
import type { StepToSample } from '../../chat/sessions/agent-memory.ts'
import { drawOf } from '../../chat/sessions/session-split.ts'
import { classOfStep, type CalledTool } from '../../chat/sessions/step-class.ts'
import { isNamed, type Candidate } from '../../routing/candidate.ts'
import type { ShadowAccount, ShadowSampleStore } from '../../storage/shadow-sample-store.ts'
import type { SessionProofStore } from '../../storage/session-proof-store.ts'
import type { AskModel } from '../asker.ts'
import { tunedRouter } from '../chat-asker.ts'
import { nanoUsdOf } from '../nano-usd.ts'
import { SampleQueue } from './sample-queue.ts'
import { ShadowRequests } from './shadow-requests.ts'

export interface StepSamplerOptions {
  money: Pick<ShadowSampleStore, 'spent' | 'reserve' | 'settle'>
  steps: Pick<SessionProofStore, 'addShadowStep'>
  routers(): ReadonlyMap<string, Router>
  candidatesOf(router: Router): Candidate[]
  /** Whether its provider and its breaker let it be asked now. */
  isUsable(candidate: Candidate): boolean
  /** @param router  as `tunedRouter` made it */
  askerFor(router: Router): AskModel
  newId(): string
  /** Random number from 0 to below 1. */
  random(): number
  now(): number
  afterAnswer(): Promise<void>
  onError(error: unknown): void
}

/** Most queued steps, whose prompts are held in memory. */
const mostQueued = 4
const mostStored = 5_000
/** After a step that the cap did not cover, or that failed. */
const pauseMs = 60_000
/** Enough for a call's name and what it begins with; a longer answer is cut, and paid for only so far. */
const mostAnswerTokens = 4_096

/** The account of all shadow steps of a router with a model. */
export function accountOfSteps(routerId: string, model: string): ShadowAccount {
  return { routerId, day: `steps:${model}` }
}

export class StepSampler {
  readonly #options: StepSamplerOptions
  readonly #queue: SampleQueue<StepToSample>
  /** Times when steps may be drawn again, by router. */
  readonly #pausedUntilMs = new Map<string, number>()
  /** Models that cost more than their requests allow, so that no reservation for them can be trusted. */
  readonly #overrun = new Set<string>()

  constructor(options: StepSamplerOptions) {
    this.#options = options
    const { afterAnswer, onError } = options
    const work = (step: StepToSample) => this.#sample(step)
    this.#queue = new SampleQueue({ most: mostQueued, atOnce: 1, afterAnswer, work, onError })
  }

  /** Called with each step of a coding agent's session; neither throws nor waits. */
  answered(step: StepToSample): void {
    const { router, asker, body } = step.call
    const { shadowSteps } = router.routing
    if (shadowSteps === null || this.#queue.signal.aborted) return
    const isStep = asker?.kind === 'main' || asker?.kind === 'subagent'
    if (!isStep || step.model === shadowSteps.model || !this.#isDrawn(step, shadowSteps)) return
    const isOfVendor = (step.call.original?.required ?? null) !== null
    if (!isOfVendor && isText(body)) this.#queue.add(step)
  }

  idle(): Promise<void> {
    return this.#queue.idle()
  }

  close(): Promise<void> {
    return this.#queue.close()
  }

  /** Whole sessions are drawn, then steps of them, because sessions differ more than steps. */
  #isDrawn({ call: { router }, session }: StepToSample, { share }: ShadowSteps): boolean {
    const { now, random } = this.#options
    if (now() < (this.#pausedUntilMs.get(router.id) ?? 0)) return false
    const each = Math.sqrt(share)
    return drawOf('shadow', router.id, session) < each && random() < each
  }

  async #sample(step: StepToSample): Promise<void> {
    const { routers, steps, newId, now } = this.#options
    const { id: routerId } = step.call.router
    // It may have been turned off while the step waited.
    const router = routers().get(routerId)
    const setting = router?.routing.shadowSteps
    if (!router || !setting || setting.model === step.model) return
    const second = await this.#ask(step, router, setting)
    if (second === null) return
    await steps.addShadowStep(
      {
        id: newId(),
        routerId,
        model: setting.model,
        sessionId: step.session,
        apiKeyId: step.call.apiKeyId,
        atMs: now(),
        outcome: compare(step, second),
      },
      mostStored,
    )
  }

  /** @returns what the other model would call; null when it was not asked or failed */
  async #ask(
    step: StepToSample,
    router: Router,
    { model, maxUsd }: ShadowSteps,
  ): Promise<readonly CalledTool[] | null> {
    const { money, candidatesOf, isUsable, askerFor, now } = this.#options
    const tuned = tunedRouter(router, model)
    const candidate = candidatesOf(tuned).find((one) => isNamed(one, model))
    if (candidate === undefined || this.#overrun.has(candidate.modelId) || !isUsable(candidate)) {
      return null
    }
    const requests = new ShadowRequests({
      store: money,
      accountNow: () => accountOfSteps(router.id, model),
      capNanoUsd: nanoUsdOf(maxUsd),
      ask: askerFor(tuned),
      signal: this.#queue.signal,
      onOverrun: (modelId) => this.#overrun.add(modelId),
    })
    const asked = await requests.ask({ candidate, body: bodyFor(step.call.body), isJudge: false })
    if (asked?.kind === 'answered') return asked.calls ?? []
    this.#pausedUntilMs.set(router.id, now() + pauseMs)
    return null
  }
}

/** What the other model cannot be sent, or what would have unknown costs, is not sampled. */
function isText({ messages, n }: ChatRequest): boolean {
  if ((n ?? 1) !== 1) return false
  return messages.every(
    ({ content }) => !Array.isArray(content) || content.every(({ type }) => type === 'text'),
  )
}

function bodyFor({ messages, tools, tool_choice, ...limits }: ChatRequest): ChatRequest {
  const own = limits.max_completion_tokens ?? limits.max_tokens ?? mostAnswerTokens
  return {
    messages,
    ...(tools && { tools }),
    ...(tool_choice !== undefined && { tool_choice }),
    max_tokens: Math.min(own, mostAnswerTokens),
  }
}

function compare(
  { class: first, calls }: StepToSample,
  others: readonly CalledTool[],
): ShadowOutcome {
  const [own] = calls
  const [other] = others
  const [ownFile, otherFile] = [fileOf(own), fileOf(other)]
  return {
    first,
    second: classOfStep(others, null),
    isSameTool: own?.name === other?.name,
    isSameFile: ownFile === null || otherFile === null ? null : ownFile === otherFile,
  }
}

/** The file that a call names; its arguments may be cut. */
function fileOf(call: CalledTool | undefined): string | null {
  const named = /"(?:file_?path|path|notebook_path)"\s*:\s*("(?:[^"\\]|\\.)*")/i.exec(
    call?.input ?? '',
  )
  return named?.[1] ?? null
}
