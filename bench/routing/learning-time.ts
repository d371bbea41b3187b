/** How long learning from judged prompts takes, which the main process does after each change of the rows. */
import { performance } from 'node:perf_hooks'
import { learnOwn } from '../../src/service/routing/own-knowledge.ts'
import { denseFeatureNames } from '../../src/service/routing/prompt/dense-feature-names.ts'
import { topicNames } from '../../src/shared/routers/topics.ts'
import type { JudgedPrompt } from '../../src/shared/tuning/tuning.ts'
import { quantile } from '../quantile.ts'
import { seededRandom } from '../../training/reader/random.ts'

const promptCount = 1_000
const modelCount = 12
const repeats = 9

/** The median for a thousand made-up prompts with named kinds, in milliseconds. */
export function learningTimeMs(): number {
  const prompts = madeUpPrompts()
  const tookMs = Array.from({ length: repeats }, () => {
    const startMs = performance.now()
    learnOwn({ prompts, weightOf: () => 1, priorOf: () => null })
    return performance.now() - startMs
  })
  return quantile(tookMs, 0.5)
}

function madeUpPrompts(): JudgedPrompt[] {
  const random = seededRandom(5)
  return Array.from({ length: promptCount }, (_, index) => {
    const shares = topicNames.map(() => random() ** 8)
    const total = shares.reduce((all, share) => all + share, 0)
    return {
      id: `${index}`,
      atMs: 0,
      topics: shares.map((share) => share / total),
      difficulty: 4 * random() - 3,
      confidence: random(),
      form: denseFeatureNames.map(() => random()),
      kind: topicNames[Math.floor(random() * topicNames.length)] ?? null,
      errorRate: 0.1,
      answers: Array.from({ length: modelCount }, (__, model) => ({
        modelId: `p:${model}`,
        startLogit: 2 * random() - 1,
        grade: Number(random() < 0.6),
      })),
    }
  })
}
