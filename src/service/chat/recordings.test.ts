import { expect, test } from 'vitest'
import { Recordings } from './recordings.ts'

const bounds = { answerBytes: 10, totalBytes: 15 }

test('gives the events as they went out', () => {
  const recordings = new Recordings()
  const recording = recordings.start()
  for (const text of ['data: {"é":1}\n\n', 'data: [DONE]\n\n']) recording.event(text)
  const finished = recording.finish()
  expect(finished?.isStreamed).toBe(true)
  expect(finished?.body.toString()).toBe('data: {"é":1}\n\ndata: [DONE]\n\n')
  expect(recordings.bytes()).toBe(0)
})

test('gives up an answer that grows too great, and its memory with it', () => {
  const recordings = new Recordings(bounds)
  const recording = recordings.start()
  recording.event('12345')
  expect(recordings.bytes()).toBe(5)
  recording.event('123456')
  expect(recordings.bytes()).toBe(0)
  recording.event('1')
  expect(recording.finish()).toBeNull()
})

test('gives up the answer for which the others leave no room', () => {
  const recordings = new Recordings(bounds)
  const [first, second] = [recordings.start(), recordings.start()]
  first.event('1234567890')
  second.event('123456')
  expect(second.finish()).toBeNull()
  expect(first.finish()?.body.toString()).toBe('1234567890')
  expect(recordings.bytes()).toBe(0)
})

test('counts bytes, not characters', () => {
  const recording = new Recordings(bounds).start()
  recording.event('éééééé')
  expect(recording.finish()).toBeNull()
})
