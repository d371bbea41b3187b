/**
 * Merges what two writers learned about a deployment or a router since they read the same figures. A part that only one
 * of them changed is taken from it, so a single writer's figures are stored as they are. Counts add up; averages are
 * weighted by what each writer saw. Merging equal changes twice does not count them twice, because each writer continues
 * from the merged figures.
 */
import { isDeepStrictEqual } from 'node:util'
import {
  answerForms,
  type AnswerForm,
  type LatencyAverage,
  type MeanTimes,
  type ModelFigures,
  type PromptSums,
  type RouterFigures,
  type Verbosity,
} from './model-statistics.ts'

/** Half-lives of the means of latency; the same as in chat/learning/latency-average.ts. */
export const halfLivesMs = { fast: 600_000, slow: 6 * 3_600_000 }

export interface Changes<Figures> {
  /** Figures that both started from; null for writers that started from nothing. */
  base: Figures | null
  mine: Figures
  stored: Figures
}

export function mergeFigures({ base, mine, stored }: Changes<ModelFigures>): ModelFigures {
  return merged({ base, mine, stored }, () => {
    const served = mine.served ?? stored.served
    return {
      latencies: Object.fromEntries(
        answerForms.flatMap((form) => latencyEntry(form, { base, mine, stored })),
      ),
      prompts: part(
        { base: base?.prompts ?? null, mine: mine.prompts, stored: stored.prompts },
        addPrompts,
      ),
      verbosity: part(
        { base: base?.verbosity ?? null, mine: mine.verbosity, stored: stored.verbosity },
        addVerbosity,
      ),
      ...(served && { served }),
    }
  })
}

export function mergeRouterFigures(changes: Changes<RouterFigures>): RouterFigures {
  const { base, mine, stored } = changes
  return merged(changes, () => ({
    ...addMean(changes, ({ answers, lnLonger }) => ({ answers, ln: lnLonger })),
    topics: addTopics(base?.topics ?? null, mine.topics, stored.topics),
    looks: added(base?.looks, mine.looks, stored.looks),
  }))
}

/** The side that changed; both sides merged where both did. */
function merged<Figures>(
  { base, mine, stored }: Changes<Figures>,
  merge: (changes: Changes<Figures>) => Figures,
): Figures {
  if (isDeepStrictEqual(base, stored)) return mine
  if (isDeepStrictEqual(base, mine)) return stored
  return merge({ base, mine, stored })
}

/** The same of a part that may be missing. */
function part<Part>(
  { base, mine, stored }: { base: Part | null; mine: Part | null; stored: Part | null },
  merge: (changes: Changes<Part>) => Part,
): Part | null {
  if (mine === null) return stored
  if (stored === null) return mine
  return merged({ base, mine, stored }, merge)
}

function latencyEntry(
  form: AnswerForm,
  { base, mine, stored }: Changes<ModelFigures>,
): [AnswerForm, LatencyAverage][] {
  const average = part(
    {
      base: base?.latencies[form] ?? null,
      mine: mine.latencies[form] ?? null,
      stored: stored.latencies[form] ?? null,
    },
    meanLatency,
  )
  return average === null ? [] : [[form, average]]
}

function meanLatency({ base, mine, stored }: Changes<LatencyAverage>): LatencyAverage {
  const atMs = Math.max(mine.atMs, stored.atMs)
  const fadedTo = (average: LatencyAverage, speed: 'fast' | 'slow') => ({
    ...average[speed],
    share: average[speed].share * 2 ** (-(atMs - average.atMs) / halfLivesMs[speed]),
  })
  const fast = [fadedTo(mine, 'fast'), fadedTo(stored, 'fast')] as const
  const between = betweenShares(...fast)
  return {
    atMs,
    fast: meanTimes(...fast),
    greatestShare: Math.max(mine.greatestShare, stored.greatestShare),
    slow: meanTimes(fadedTo(mine, 'slow'), fadedTo(stored, 'slow')),
    deviation: between(mine.deviation, stored.deviation),
    answers: added(base?.answers, mine.answers, stored.answers),
  }
}

function meanTimes(one: MeanTimes, other: MeanTimes): MeanTimes {
  const between = betweenShares(one, other)
  return {
    lnFirstToken: between(one.lnFirstToken, other.lnFirstToken),
    lnPerToken: between(one.lnPerToken, other.lnPerToken),
    share: Math.max(one.share, other.share),
  }
}

/** Weighted by the measured share of each. */
function betweenShares(one: MeanTimes, other: MeanTimes): (a: number, b: number) => number {
  const total = one.share + other.share
  const share = total === 0 ? 1 / 2 : other.share / total
  return (a, b) => a + (b - a) * share
}

/** The prompts of both, with the weight of the writer that saw more: sums fade with each answer, whoever gave it. */
function addPrompts({ mine, stored }: Changes<PromptSums>): PromptSums {
  const total = mine.weight + stored.weight
  const scale = total === 0 ? 0 : Math.max(mine.weight, stored.weight) / total
  return {
    weight: total * scale,
    tokens: (mine.tokens + stored.tokens) * scale,
    firstTokenMs: (mine.firstTokenMs + stored.firstTokenMs) * scale,
    squaredTokens: (mine.squaredTokens + stored.squaredTokens) * scale,
    tokensByMs: (mine.tokensByMs + stored.tokensByMs) * scale,
  }
}

/** Merges two sums, so that what each writer added is added. */
function addVerbosity({ base, mine, stored }: Changes<Verbosity>): Verbosity {
  return {
    lnSum: added(base?.lnSum, mine.lnSum, stored.lnSum),
    answers: added(base?.answers, mine.answers, stored.answers),
    // Each process follows the same answers' spread, so the later one is as good as both.
    ...(mine.lnP90 !== undefined && { lnP90: mine.lnP90 }),
  }
}

type Topics = RouterFigures['topics']

function addTopics(base: Topics | null, mine: Topics, stored: Topics): Topics {
  const topics = mine.lnLonger.map((_, topic) =>
    addMean({ base, mine, stored }, ({ answers, lnLonger }) => ({
      answers: answers[topic] ?? 0,
      ln: lnLonger[topic] ?? 0,
    })),
  )
  return {
    lnLonger: topics.map(({ lnLonger }) => lnLonger),
    answers: topics.map(({ answers }) => answers),
  }
}

/** Answers add up; the length is weighted by the answers that each writer saw. */
function addMean<Figures>(
  { base, mine, stored }: Changes<Figures>,
  meanOf: (figures: Figures) => { answers: number; ln: number },
): { answers: number; lnLonger: number } {
  const [own, other] = [meanOf(mine), meanOf(stored)]
  const before = base === null ? 0 : meanOf(base).answers
  const ownAnswers = Math.max(0, own.answers - before)
  const others = Math.max(0, other.answers - before)
  const share = ownAnswers + others === 0 ? 0 : ownAnswers / (ownAnswers + others)
  return { answers: before + ownAnswers + others, lnLonger: other.ln + (own.ln - other.ln) * share }
}

function added(base: number | undefined, mine: number, stored: number): number {
  return mine + stored - (base ?? 0)
}
