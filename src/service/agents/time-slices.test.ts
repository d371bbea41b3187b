/** How long work runs before the event loop continues, and which work resumes first. */
import { setImmediate as nextIteration } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { sliceMs, TimeSlices } from './time-slices.ts'

describe('a slice', () => {
  test('has no pause until its time is over', async () => {
    let nowMs = 0
    const slices = new TimeSlices(() => nowMs)

    expect(slices.pause()).toBeNull()
    nowMs += sliceMs - 1
    expect(slices.pause()).toBeNull()
    nowMs += 1
    expect(slices.pause()).toBeInstanceOf(Promise)
  })

  test('starts with each iteration of the event loop', async () => {
    let nowMs = 0
    const slices = new TimeSlices(() => nowMs)
    expect(slices.pause()).toBeNull()
    await nextIteration()
    nowMs += sliceMs

    expect(slices.pause()).toBeNull()
  })

  test('resumes paused work in order, one piece per iteration', async () => {
    let nowMs = 0
    const slices = new TimeSlices(() => nowMs)
    const events: string[] = []
    const work = async (name: string) => {
      for (let round = 0; round < 2; round += 1) {
        await slices.pause()
        events.push(name)
        nowMs += sliceMs
      }
    }
    const working = Promise.all([work('a'), work('b')])
    for (let iteration = 0; iteration < 3; iteration += 1) {
      await nextIteration()
      events.push('|')
    }
    await working

    expect(events.join('')).toBe('aba|b||')
  })
})
