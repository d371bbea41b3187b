import { expect, test } from 'vitest'
import { topicNames } from '../../shared/routers/topics.ts'
import { sampleEvenly } from './sample-evenly.ts'

const promptOf = (topic: number, difficulty: number) => ({
  topics: topicNames.map((_, at) => (at === topic ? 1 : 0)),
  difficulty,
})

test('takes topics as often as they occur, and difficulties evenly within each', () => {
  const ofTopic = (topic: number, count: number) =>
    Array.from({ length: count }, (_, at) => promptOf(topic, at))
  // Interleaved, so that the order of the prompts cannot help.
  const prompts = [...ofTopic(3, 20), ...ofTopic(1, 10)].toSorted(
    (a, b) => a.difficulty - b.difficulty,
  )

  const sample = sampleEvenly(prompts, 6)

  const difficultiesOf = (topic: number) =>
    sample.filter(({ topics }) => topics[topic] === 1).map(({ difficulty }) => difficulty)
  expect(difficultiesOf(1)).toEqual([2, 7])
  expect(difficultiesOf(3)).toEqual([2, 7, 12, 17])
})

test('takes exactly as many as wanted, in their order', () => {
  const prompts = Array.from({ length: 97 }, (_, at) => promptOf(at % 27, -at / 50))

  const sample = sampleEvenly(prompts, 30)

  expect(sample).toHaveLength(30)
  expect(sample).toEqual(prompts.filter((prompt) => sample.includes(prompt)))
})

test('takes all prompts when there are too few', () => {
  expect(sampleEvenly([promptOf(1, 0)], 30)).toEqual([promptOf(1, 0)])
})
