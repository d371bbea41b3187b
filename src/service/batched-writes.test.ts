import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batchWrite } from './batched-writes.ts'

test('writes run together and in order, after the microtasks of the iteration', async () => {
  const made: string[] = []
  batchWrite(() => made.push('first'))
  queueMicrotask(() => {
    made.push('microtask')
    batchWrite(() => made.push('second'))
  })
  expect(made).toEqual([])

  await nextIteration()

  expect(made).toEqual(['microtask', 'first', 'second'])
})

test('a write requested during a write runs one iteration later', async () => {
  const made: string[] = []
  batchWrite(() => {
    made.push('first')
    batchWrite(() => made.push('third'))
  })
  batchWrite(() => made.push('second'))

  await nextIteration()
  expect(made).toEqual(['first', 'second'])
  await nextIteration()
  expect(made).toEqual(['first', 'second', 'third'])
})
