import type { LocalModelInfo } from '../../../../shared/models/local-models.ts'

type Choice = Pick<
  LocalModelInfo,
  'name' | 'title' | 'origin' | 'sizeBytes' | 'memoryBytes' | 'isTooLarge' | 'state'
>

/** The largest model to download that fits into memory; undefined while one is there or on its way, or none fits. */
export function bestLocalModel<Model extends Choice>(models: readonly Model[]): Model | undefined {
  const real = models.filter(({ origin }) => origin !== 'built-in')
  if (real.some(({ state }) => state.kind !== 'available')) return undefined
  return real
    .filter(({ isTooLarge }) => !isTooLarge)
    .toSorted((a, b) => b.memoryBytes - a.memoryBytes)[0]
}
