/** Figure 4: the time of a decision between twelve models, from the prompt's text to the order. */
import { topicNames } from '../../src/shared/routers/topics.ts'
import { openStatistics, sampleAnswer, streams } from '../../test/sample-answer.ts'
import { firstLook, type LookOptions } from '../../src/service/routing/first-look.ts'
import { openedAccount } from '../../src/service/routing/loss-account.ts'
import { readPrompt } from '../../src/service/routing/prompt/read-prompt.ts'
import { rank } from '../../src/service/routing/rank.ts'
import { candidate, sampleContext, sampleParameters } from '../../test/routing/sample-candidates.ts'
import { quantile } from '../quantile.ts'
import type { Measurement } from '../measurement.ts'
import { seeds } from '../../training/seeds.ts'

const decisions = 3_000
/** Decisions before the code is compiled. A service reaches this state within seconds of its start. */
const warmUps = 1_000
const charsPerToken = 4
const greatestP99Ms = 0.3

const candidates = Array.from({ length: 12 }, (_, position) =>
  candidate({
    modelId: `p:model-${position}`,
    position,
    price: { inputUsdPerMtok: 1 + position, outputUsdPerMtok: 4 + 3 * position },
    contextTokens: null,
    maxOutputTokens: null,
    quality: {
      points: 1200 + 20 * position,
      strength: 25,
      offsets: topicNames.map((_name, topic) => ((topic + position) % 9) / 20 - 0.2),
      basis: 'rated',
    },
  }),
)

const statistics = statisticsOfTen()

/**
 * Each decision is made in five passes and its fastest counts, because other programs slow down many in a row, for seconds
 * on a shared machine. The times of single measurements are reported, too.
 */
export function measureDecisionTime(): Measurement[] {
  return [500, 8_000, 32_000].flatMap((tokens) => {
    const texts = textsOf(tokens * charsPerToken)
    const pass = () => texts.map((text) => timeMs(() => decide(text, tokens))).slice(warmUps)
    const goes = Array.from({ length: 5 }, pass)
    const quickest = texts.slice(warmUps).map((_, at) => Math.min(...goes.map((go) => go[at] ?? 0)))
    const what = `decision between 12 models, ${tokens} tokens`
    const target = tokens === 32_000 ? { atMost: greatestP99Ms } : null
    return [
      { what: `${what}, p50`, unit: 'ms', measured: quantile(quickest, 0.5), target: null },
      { what: `${what}, p99`, unit: 'ms', measured: quantile(quickest, 0.99), target },
      {
        what: `${what}, p99 of single goes`,
        unit: 'ms',
        measured: quantile(goes.flat(), 0.99),
        target: null,
      },
    ]
  })
}

function decide(lastUser: string, promptTokens: number): void {
  const reading = readPrompt({ lastUser, system: 'You are a helpful assistant.' })
  const options: LookOptions = {
    knowledgeOf: (one) => statistics.knowledgeOf(one, streams),
    mayLookAt: () => true,
    context: sampleContext({ promptTokens, reading }),
    policy: {
      strategy: 'cost_optimized',
      parameters: { ...sampleParameters, account: openedAccount },
      requires: [],
      providers: null,
      regions: null,
      localOnly: false,
      maxCostUsdPerRequest: null,
      chooseEffort: true,
    },
  }
  firstLook(rank(candidates, options).ranked, options)
}

/** Ten models answered before, so that each decision also weighs first looks at two. */
function statisticsOfTen() {
  const learned = openStatistics(() => 0)
  for (const one of candidates.slice(0, 10)) {
    for (let nth = 0; nth < 5; nth += 1) learned.answered(sampleAnswer({ candidate: one }))
  }
  return learned
}

/** Prose, code and lists in a different order each time, cut to length, each as a flat string. */
function textsOf(chars: number): string[] {
  const prompts = seeds.map(({ prompt }) => prompt)
  const all = prompts.join('\n').repeat(Math.ceil((2 * chars) / prompts.join('\n').length) + 1)
  return Array.from({ length: warmUps + decisions }, (_, index) => {
    const from = (index * 997) % (all.length - chars)
    return Buffer.from(all.slice(from, from + chars)).toString()
  })
}

function timeMs(work: () => void): number {
  const startMs = performance.now()
  work()
  return performance.now() - startMs
}
