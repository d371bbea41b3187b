/**
 * How much longer a model's billed answer is than one without reasoning. LiveBench counts the tokens of each task.
 * Its tasks are harder than most prompts, and reasoning grows with difficulty, so the tasks with the least
 * reasoning stand for an ordinary prompt.
 */
import type { ReasoningEffort } from '../../src/shared/models/model-facts.ts'
import type { LiveBenchRelease } from './livebench.ts'
import { quantile } from './statistics.ts'

/** The one row of LiveBench's token counts without reasoning. */
const referenceName = 'grok-build-0.1'
/**
 * The tenth of the tasks with the least reasoning. A model whose length is overestimated is not chosen, and so never
 * corrected; one whose length is underestimated is corrected by its first answers.
 */
const ordinaryShare = 0.1
/**
 * Reasoning tokens relative to `xhigh`: LiveBench counted 4,151 output tokens for gpt-5.5, 7,718 at high and 11,355 at
 * xhigh, and 1.4 to 2.7 times as many at max as at xhigh (five models). Low and minimal continue
 * the row downwards, each half of the one above.
 */
const reasoningShare: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 0.09,
  low: 0.18,
  medium: 0.37,
  high: 0.68,
  xhigh: 1,
  max: 1.7,
}

/** Ratios by the source's names of models; empty where the release does not count tokens. */
export function ratiosOf({ tokens }: Pick<LiveBenchRelease, 'tokens'>): Map<string, number> {
  const reference = tokens.get(referenceName)
  if (reference === undefined) return new Map()
  return new Map(
    [...tokens].map(([name, counts]) => {
      const ratios = [...counts].flatMap(([task, count]) => {
        const plain = reference.get(task)
        return plain === undefined ? [] : [count / plain]
      })
      return [name, Math.max(1, quantile(ratios, ordinaryShare))]
    }),
  )
}

/** The ratio at another effort. Without reasoning, an answer has its plain length. */
export function ratioAt(
  measured: { ratio: number; effort: ReasoningEffort | null },
  effort: ReasoningEffort | null,
): number {
  if (effort === null) return 1
  const share = reasoningShare[measured.effort ?? 'high']
  if (share === 0) return 1
  return Math.round((1 + ((measured.ratio - 1) * reasoningShare[effort]) / share) * 10) / 10
}
