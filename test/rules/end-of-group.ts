import { afterAll } from 'vitest'

type End = () => unknown

/**
 * Collects what ends after the tests of a file or group, and ends it in reverse order. Call it outside of `beforeAll`:
 * Vitest never runs an `afterAll` that a `beforeAll` registers.
 */
export function endOfGroup(): (end: End) => void {
  const ends: End[] = []
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })
  return (end) => void ends.push(end)
}
