/**
 * The closed loop: a router chooses, only the chosen model answers, and the router learns from that alone. All
 * decisions and all learning are the product's own functions; the answers follow from the world.
 */
import { routingSettingsSchema } from '../../src/shared/routers/routing-settings.ts'
import { strategyProfiles } from '../../src/shared/routers/strategies.ts'
import type { JudgedPrompt } from '../../src/shared/tuning/tuning.ts'
import { readingRecord } from '../../src/service/chat/reading-record.ts'
import { ModelStatistics } from '../../src/service/chat/learning/model-statistics.ts'
import { ModelServers } from '../../src/service/providers/model-servers.ts'
import type {
  Candidate,
  FeedbackCounts,
  RankedCandidate,
  RoutingPolicy,
} from '../../src/service/routing/candidate.ts'
import {
  fitOf,
  learnOwn,
  nothingOwn,
  type OwnKnowledge,
} from '../../src/service/routing/own-knowledge.ts'
import { firstLook } from '../../src/service/routing/first-look.ts'
import { afterChoice, openedAccount } from '../../src/service/routing/loss-account.ts'
import { order } from '../../src/service/routing/order.ts'
import { policyOf } from '../../src/service/routing/parameters.ts'
import { withJudgement } from '../../src/service/routing/quality.ts'
import { rank } from '../../src/service/routing/rank.ts'
import { sampleContext } from '../../test/routing/sample-candidates.ts'
import { truthOf, type LearningStrategy, type TrueContender } from './truth.ts'
import {
  drawsOf,
  lnUsualTokens,
  type Draws,
  type Prompt,
  type TrueModel,
  type World,
} from './world.ts'

const routing = routingSettingsSchema.parse({})
const routerId = 'router_loop'
const betweenMs = 20_000
/** Share of judged answers in mixed worlds: thumbs where the strategy learns from them, else graded samples. */
const judgedShare = 0.05
/** Graded prompts between two fits. */
const fitEvery = 25
/** Standard deviations of a single answer's logarithms. */
const deviations = { length: 0.7, firstToken: 0.3, perToken: 0.2 }

export interface Choice {
  /** Number of the request, from 0. */
  nth: number
  /** The first of all requests that were not sent to one model alone. */
  truth: readonly TrueContender[]
  chosen: TrueContender
  /** The strategy's own choice with true figures. */
  oracle: TrueContender
  isLook: boolean
  /** The models as the router believed them to be. */
  believed: readonly RankedCandidate[]
  parameters: RoutingPolicy['parameters']
  /** Answers of each model so far. */
  asked: ReadonlyMap<string, number>
}

export class ClosedLoop {
  readonly #world: World
  readonly #strategy: LearningStrategy
  readonly #answers: Draws
  readonly #statistics: ModelStatistics
  readonly #judged: JudgedPrompt[] = []
  #own: OwnKnowledge = nothingOwn
  #account = openedAccount
  readonly #feedback = new Map<string, FeedbackCounts>()
  readonly #asked = new Map<string, number>()
  #nowMs = 1_000_000_000_000

  constructor(world: World, strategy: LearningStrategy, seed: number) {
    this.#world = world
    this.#strategy = strategy
    this.#answers = drawsOf(seed + 7_919)
    this.#statistics = new ModelStatistics({
      stored: { models: [], routers: [] },
      pendingOf: () => 0,
      feedbackOf: (modelId) => this.#feedback.get(modelId) ?? null,
      ownOf: (modelId) => fitOf(this.#own, modelId),
      loadOf: () => null,
      isCold: () => false,
      servers: new ModelServers({ keepsLoadedMs: () => 0, now: () => this.#nowMs }),
      now: () => this.#nowMs,
    })
  }

  /** Requests before the router could choose. */
  useAlone(model: TrueModel, requests: number): void {
    for (let nth = 0; nth < requests; nth += 1) this.#answer(model, this.#world.promptAt(0))
  }

  /** Requests that the router decides. In the middle of a mixed world, one model gets worse and one slower. */
  *requests(count: number): Generator<Choice> {
    for (let nth = 0; nth < count; nth += 1) {
      if (nth === Math.floor(count / 2) && this.#world.kind === 'mixed') this.#worsen()
      const prompt = this.#world.promptAt(nth / count)
      const choice = this.#choose(nth, prompt)
      yield choice
      this.#answer(choice.chosen.of, prompt)
    }
  }

  #choose(nth: number, prompt: Prompt): Choice {
    const context = sampleContext({ ...prompt, isStreamed: true })
    const spending = { qualityPerUsd: 0, account: this.#account }
    const policy = policyOf({ strategy: this.#strategy, routing }, spending)
    const options = {
      knowledgeOf: (one: Candidate) =>
        this.#statistics.knowledgeOf(one, { routerId, isStreamed: true }),
      context,
      policy,
      mayLookAt: (one: Candidate) => this.#statistics.mayLookAt(one, routerId),
    }
    const candidates = this.#world.models.map(({ candidate }) => candidate)
    const { ranked } = rank(candidates, options)
    const looked = firstLook(ranked, options)
    const [first] = looked?.ranked ?? ranked
    if (!first) throw new Error('a world has no models')
    if (looked) this.#statistics.looked(first.candidate, routerId)
    this.#account = afterChoice(this.#account, { among: ranked, chosen: first, paced: 0 })
    const truth = truthOf(this.#world, prompt, context)
    const chosen = same(truth, first)
    const oracle = same(truth, order(truth, this.#strategy, policy.parameters)[0] ?? chosen)
    const { parameters } = policy
    const isLook = looked !== null
    return { nth, truth, chosen, oracle, isLook, believed: ranked, parameters, asked: this.#asked }
  }

  #answer(model: TrueModel, prompt: Prompt): void {
    const { candidate, firstTokenMs, msPerToken, lnVerbosity } = model
    const { normal, uniform } = this.#answers
    const lnTokens = lnUsualTokens(this.#world, prompt.kind) + lnVerbosity
    const outputTokens = Math.max(1, Math.round(Math.exp(lnTokens + normal(deviations.length))))
    const first = firstTokenMs * Math.exp(normal(deviations.firstToken))
    const perToken = msPerToken * Math.exp(normal(deviations.perToken))
    const judged = uniform() < judgedShare && this.#world.kind === 'mixed'
    const isGood = uniform() < this.#qualityOf(model, prompt)
    this.#nowMs += betweenMs
    this.#asked.set(candidate.modelId, (this.#asked.get(candidate.modelId) ?? 0) + 1)
    this.#statistics.answered({
      candidate,
      routerId,
      isStreamed: true,
      isCold: false,
      firstTokenMs: first,
      totalMs: first + (outputTokens - 1) * perToken,
      uncachedTokens: prompt.promptTokens,
      writtenTokens: outputTokens,
      outputTokens,
      timings: null,
      isCutOff: false,
      teachesLength: true,
      reading: readingRecord(prompt.reading),
    })
    if (judged) this.#judge(candidate, prompt, isGood)
  }

  #judge({ modelId }: Candidate, { reading }: Prompt, isGood: boolean): void {
    const score = Number(isGood)
    if (strategyProfiles[this.#strategy].learnsFromFeedback) {
      const counts = this.#feedback.get(modelId) ?? null
      this.#feedback.set(modelId, withJudgement(counts, reading, { score, weight: 1 }))
      return
    }
    this.#judged.push({
      id: `${this.#judged.length}`,
      atMs: this.#nowMs,
      ...reading,
      form: [],
      kind: null,
      errorRate: 0,
      answers: [{ modelId, startLogit: 0, grade: score }],
    })
    if (this.#judged.length % fitEvery > 0) return
    const priors = new Map(this.#world.models.map((one) => [one.candidate.modelId, one.candidate]))
    this.#own = learnOwn({
      prompts: this.#judged,
      weightOf: () => 1,
      priorOf: (id) => priors.get(id)?.quality ?? null,
    })
  }

  #qualityOf({ logits }: TrueModel, { kind, difficulty }: Prompt): number {
    return 1 / (1 + Math.exp(difficulty - (logits[kind] ?? 0)))
  }

  #worsen(): void {
    const { models, draw } = this.#world
    const [worse, slower] = [draw.uniform(), draw.uniform()].map(
      (share) => models[Math.floor(share * models.length)],
    )
    if (worse) worse.logits = worse.logits.map((logit) => logit - 0.8)
    if (!slower) return
    slower.firstTokenMs *= 2.5
    slower.msPerToken *= 2.5
  }
}

function same(truth: readonly TrueContender[], { model }: { model: string }): TrueContender {
  const found = truth.find((one) => one.model === model)
  if (!found) throw new Error(`${model} is not of this world`)
  return found
}
