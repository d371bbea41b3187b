/** Figure 2: two models that the shipped weights were not trained on, routed by the expected gain alone. */
import { readPrompt } from '../../src/service/routing/prompt/read-prompt.ts'
import type { Measurement } from '../measurement.ts'
import { pairCurve } from './curve.ts'
import type { DataFile } from '../../training/reader/data-file.ts'

const goals: readonly (readonly [end: string, apgr: number])[] = [
  ['routellm_mmlu', 0.6],
  ['routellm_gsm8k', 0.61],
]

export function measurePairs(files: readonly DataFile[]): Measurement[] {
  return files.flatMap((file) => {
    if (file.kind !== 'pair') return []
    const [, goal] = goals.find(([start]) => file.name.startsWith(start)) ?? []
    const byGain = file.rows.map(({ prompt, weak, strong }) => ({
      score: readPrompt({ lastUser: prompt, system: '' }).gain,
      weak,
      strong,
    }))
    const byLength = file.rows.map(({ prompt, weak, strong }) => ({
      score: prompt.length,
      weak,
      strong,
    }))
    const { apgr, cpt50, cpt80 } = pairCurve(byGain)
    const what = `${file.name} (${file.rows.length} prompts)`
    return [
      {
        what: `${what}: APGR, nothing learnt of the pair`,
        unit: '',
        measured: apgr,
        baseline: { what: 'random', value: 0.5 },
        target: null,
        ...(goal === undefined ? {} : { goal: { atLeast: goal } }),
      },
      {
        what: `${what}: APGR by length`,
        unit: '',
        measured: pairCurve(byLength).apgr,
        target: null,
      },
      { what: `${what}: CPT 50`, unit: '% strong', measured: 100 * cpt50, target: null },
      { what: `${what}: CPT 80`, unit: '% strong', measured: 100 * cpt80, target: null },
    ]
  })
}
