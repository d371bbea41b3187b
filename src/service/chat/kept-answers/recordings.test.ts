import { expect, test } from 'vitest'
import { Recordings } from './recordings.ts'

const bounds = { answerBytes: 10, totalBytes: 15 }

test('returns the events as they were sent', () => {
  const recordings = new Recordings()
  const recording = recordings.start()
  for (const text of ['data: {"é":1}\n\n', 'data: [DONE]\n\n']) recording.events(text)
  const finished = recording.finish()
  expect(finished?.toString()).toBe('data: {"é":1}\n\ndata: [DONE]\n\n')
  expect(recordings.bytes()).toBe(0)
})

test('discards an answer that becomes too large, and frees its memory', () => {
  const recordings = new Recordings(bounds)
  const recording = recordings.start()
  recording.events('12345')
  expect(recordings.bytes()).toBe(5)
  recording.events('123456')
  expect(recordings.bytes()).toBe(0)
  recording.events('1')
  expect(recording.finish()).toBeNull()
})

test('discards an answer when the others leave no room', () => {
  const recordings = new Recordings(bounds)
  const [first, second] = [recordings.start(), recordings.start()]
  first.events('1234567890')
  second.events('123456')
  expect(second.finish()).toBeNull()
  expect(first.finish()?.toString()).toBe('1234567890')
  expect(recordings.bytes()).toBe(0)
})

test('counts bytes, not characters', () => {
  const recording = new Recordings(bounds).start()
  recording.events('éééééé')
  expect(recording.finish()).toBeNull()
})
