import { expect, test } from 'vitest'
import { topicNames, type Topic } from '../../shared/routers/topics.ts'
import { correctTopics, formOf, learnKinds, topicsOfNamed } from './own-kinds.ts'
import { readFeatures } from './prompt/prompt-features.ts'
import { readTopics } from './prompt/topic-head.ts'
import { shippedWeights } from './prompt/routing-weights.ts'

/** A user whose one-line tickets the judge calls extraction and whose questions it calls law. */
const tickets = [
  'order 4417, 2 × hinge, 14.90 EUR, deliver 2026-03-02',
  'order 921, 12 × screw, 3.20 EUR, deliver 2026-05-17',
  'order 77120, 1 × door, 349.00 EUR, deliver 2026-01-09',
  'order 508, 6 × handle, 22.50 EUR, deliver 2026-07-30',
  'order 6634, 3 × frame, 91.00 EUR, deliver 2026-02-11',
]
const questions = [
  'Why does our landlord want to keep the deposit, and may he do that without a protocol?',
  'How can a small company end a lease early when the neighbours are too loud for work?',
  'What happens to a contract when one side signed it only after the agreed deadline?',
  'Who pays for the broken window when nobody can say which tenant has broken it?',
  'Does a handwritten note under an agreement count when only one person has signed it?',
]

function readingOf(text: string) {
  const features = readFeatures({ lastUser: text, system: '' })
  const { topics } = readTopics(shippedWeights().topics, features)
  return { topics, form: formOf(features.dense) }
}
const named = (texts: readonly string[], kind: Topic) =>
  texts.map((text) => ({ ...readingOf(text), kind, weight: 1 }))
const likeliest = (topics: readonly number[]) => topicNames[topics.indexOf(Math.max(...topics))]

test('learns to recognise the kinds that the judge named', () => {
  const kinds = learnKinds([...named(tickets, 'extraction'), ...named(questions, 'law')])

  const ticket = correctTopics(
    kinds ?? [],
    readingOf('order 3305, 8 × knob, 5.75 EUR, deliver 2026-09-21'),
  )
  const question = correctTopics(
    kinds ?? [],
    readingOf('May our landlord enter the flat without asking us before?'),
  )

  expect(likeliest(ticket)).toBe('extraction')
  expect(likeliest(question)).toBe('law')
  expect(ticket.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12)
})

test('prompts unlike the named ones keep the topic of the shipped head', () => {
  const kinds = learnKinds([...named(tickets, 'business'), ...named(questions, 'law')])
  const reading = readingOf(
    'A triangle has sides 3, 4 and 5. What is the radius of its inscribed circle?',
  )

  expect(likeliest(correctTopics(kinds ?? [], reading))).toBe(likeliest(reading.topics))
})

test('a named prompt teaches the topic it was named', () => {
  const [prompt] = named(tickets, 'business')

  expect(prompt && likeliest(topicsOfNamed(prompt, null))).toBe('business')
})

test('without names nothing is learnt', () => {
  const unnamed = tickets.map((text) => ({ ...readingOf(text), kind: null, weight: 1 }))

  expect(learnKinds(unnamed)).toBeNull()
})
