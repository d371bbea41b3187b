import { expect, test } from 'vitest'
import { EndlessLoop } from './endless-loop.ts'

/** The number of characters after which the answer counts as endless, or null; each piece is 5 characters. */
function endsAt(answer: string): number | null {
  const loop = new EndlessLoop()
  for (let end = 5; end <= answer.length; end += 5) {
    loop.add(answer.slice(end - 5, end))
    if (loop.signal.aborted) return end
  }
  return null
}

const sentence = 'The island was very small, but it was his home.\n'

test.each([
  ['one character', '!'],
  ['one symbol of two code units', '🌍'],
  ['words', 'of the masculine universe '],
  ['a sentence', sentence],
])('%s over and over ends the answer after 240 characters of it', (_what, unit) => {
  const opening = 'Once upon a time there was a sailor who lived on a rock. '

  const end = endsAt(opening + unit.repeat(300))

  expect(end).toBeGreaterThanOrEqual(240)
  expect(end).toBeLessThanOrEqual(opening.length + 245)
})

test.each([
  ['a verse four times', sentence.repeat(4)],
  ['a numbered list', Array.from({ length: 60 }, (_, at) => `${at}. Black\n`).join('')],
  ['a rule of a table', `${'-'.repeat(200)}\n${'| a '.repeat(40)}|\n${'-'.repeat(200)}\n`],
  ['a text that only begins with a loop', 'la '.repeat(70) + sentence],
  ['a long unit', `${sentence}${'x'.repeat(40)}`.repeat(8)],
])('%s does not', (_what, answer) => {
  expect(endsAt(answer)).toBeNull()
})
