/**
 * Merges what two writers learned about a deployment since they read the same figures. A part that only one of them
 * changed is taken from it, so a single writer's figures are stored as they are. Counts add up; averages are weighted by what
 * each writer saw. Merging equal changes twice does not count them twice, because each writer continues from the merged
 * figures.
 */
import { isDeepStrictEqual } from 'node:util'
import {
  answerForms,
  type AnswerForm,
  type LatencyAverage,
  type Lengths,
  type ModelFigures,
  type PromptSums,
} from './model-statistics.ts'

/** As chat/learning/latency-average.ts fades them. */
const halfLifeMs = 600_000

interface Changes<Figures> {
  /** What both started from. */
  base: Figures
  mine: Figures
  stored: Figures
}

/** `base` is null for writers that started from nothing */
export function mergeFigures({
  base,
  mine,
  stored,
}: Omit<Changes<ModelFigures>, 'base'> & { base: ModelFigures | null }): ModelFigures {
  if (isDeepStrictEqual(base, stored)) return mine
  if (isDeepStrictEqual(base, mine)) return stored
  const before = base ?? { latencies: {}, prompts: null, lengths: null }
  const served = mine.served ?? stored.served
  return {
    latencies: Object.fromEntries(
      answerForms.flatMap((form) => latencyEntry(form, { base: before, mine, stored })),
    ),
    prompts: changed(
      { base: before.prompts, mine: mine.prompts, stored: stored.prompts },
      ({ mine: one, stored: other }) => addPrompts(one, other),
    ),
    lengths: changed(
      { base: before.lengths, mine: mine.lengths, stored: stored.lengths },
      addLengths,
    ),
    ...(served && { served }),
  }
}

/** The side that changed; both sides merged where both did. */
function changed<Part>(
  changes: Changes<Part | null>,
  merge: (changes: { base: Part | null; mine: Part; stored: Part }) => Part,
): Part | null {
  const { base, mine, stored } = changes
  if (mine === null || isDeepStrictEqual(base, mine)) return stored
  if (stored === null || isDeepStrictEqual(base, stored)) return mine
  return merge({ base, mine, stored })
}

function latencyEntry(
  form: AnswerForm,
  { base, mine, stored }: Changes<ModelFigures>,
): [AnswerForm, LatencyAverage][] {
  const merged = changed(
    {
      base: base.latencies[form] ?? null,
      mine: mine.latencies[form] ?? null,
      stored: stored.latencies[form] ?? null,
    },
    ({ mine: one, stored: other }) => meanLatency(one, other),
  )
  return merged === null ? [] : [[form, merged]]
}

/** Weighted by the measured share of each, faded to the time of the later one. */
function meanLatency(one: LatencyAverage, other: LatencyAverage): LatencyAverage {
  const atMs = Math.max(one.atMs, other.atMs)
  const shareOf = (average: LatencyAverage) =>
    average.share * 2 ** (-(atMs - average.atMs) / halfLifeMs)
  const [oneShare, otherShare] = [shareOf(one), shareOf(other)]
  const total = oneShare + otherShare
  const part = total === 0 ? 1 / 2 : otherShare / total
  const between = (a: number, b: number) => a + (b - a) * part
  return {
    atMs,
    lnFirstTokenMs: between(one.lnFirstTokenMs, other.lnFirstTokenMs),
    lnMsPerToken: between(one.lnMsPerToken, other.lnMsPerToken),
    deviation: between(one.deviation, other.deviation),
    share: Math.max(oneShare, otherShare),
  }
}

/** The prompts of both, with the weight of the writer that saw more: sums fade with each answer, whoever gave it. */
function addPrompts(one: PromptSums, other: PromptSums): PromptSums {
  const total = one.weight + other.weight
  const scale = total === 0 ? 0 : Math.max(one.weight, other.weight) / total
  return {
    weight: total * scale,
    tokens: (one.tokens + other.tokens) * scale,
    firstTokenMs: (one.firstTokenMs + other.firstTokenMs) * scale,
    squaredTokens: (one.squaredTokens + other.squaredTokens) * scale,
    tokensByMs: (one.tokensByMs + other.tokensByMs) * scale,
  }
}

/** Answers add up; each length is weighted by the answers that each writer saw. */
function addLengths({
  base,
  mine,
  stored,
}: {
  base: Lengths | null
  mine: Lengths
  stored: Lengths
}): Lengths {
  const topics = mine.lnTokens.map((ownLn, topic) => {
    const before = base?.answers[topic] ?? 0
    const own = Math.max(0, (mine.answers[topic] ?? 0) - before)
    const others = Math.max(0, (stored.answers[topic] ?? 0) - before)
    const storedLn = stored.lnTokens[topic] ?? ownLn
    const part = own + others === 0 ? 0 : own / (own + others)
    return { ln: storedLn + (ownLn - storedLn) * part, answers: before + own + others }
  })
  return { lnTokens: topics.map(({ ln }) => ln), answers: topics.map(({ answers }) => answers) }
}
