/** The limit of V8's young generation, in a process of its own because the flag counts for all of it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { youngGenerationBytes } from './limit-young-generation.ts'

/** Allocates in event loop iterations, as requests do, until the young generation is too large; then prints its size. */
const allocate = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { setImmediate as nextIteration } from 'node:timers/promises'
  const size = () => getHeapSpaceStatistics().find((one) => one.space_name === 'new_space').space_size
  let kept = []
  for (let iteration = 0; iteration < 6_000 && size() <= ${2 * youngGenerationBytes}; iteration += 1) {
    for (let nth = 0; nth < 10_000; nth += 1) kept.push({ nth })
    if (kept.length > 600_000) kept = []
    await nextIteration()
  }
  console.log(size())
`

async function sizeAfter(start: string): Promise<number> {
  const script = `${start}\n${allocate}`
  // V8's own limit depends on the memory of the computer.
  const large = '--max-semi-space-size=256'
  const args = [large, '--no-warnings', '--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return Number(stdout)
}

test('the young generation stops growing at its limit, which V8 alone exceeds', async () => {
  const file = new URL('limit-young-generation.ts', import.meta.url).href
  const limited = `import { limitYoungGeneration } from '${file}'; limitYoungGeneration()`

  // The collection that passes the limit may double it once more before it is seen.
  expect(await sizeAfter(limited)).toBeLessThanOrEqual(2 * youngGenerationBytes)
  // Otherwise this script would prove nothing.
  expect(await sizeAfter('')).toBeGreaterThan(youngGenerationBytes)
})
