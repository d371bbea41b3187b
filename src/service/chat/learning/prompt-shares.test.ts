import { expect, test } from 'vitest'
import { PromptShares } from './prompt-shares.ts'

function learnt(...reported: readonly number[]): number | undefined {
  const shares = new PromptShares()
  for (const tokens of reported) shares.answered('p:m', { estimated: 1_000, reported: tokens })
  return shares.least.get('p:m')
}
const times = (count: number, tokens: number) => Array.from({ length: count }, () => tokens)

test.each([
  ['a prompt with many characters a token lowers the share at once', [500], 0.35],
  ['one with few raises it over that of an unknown model only after 50 answers', [850], 0.45],
  ['after 50 answers, it is what another kind of text may have', times(50, 850), 0.595],
  ['it never rises so far that Markdown is refused', times(50, 3_000), 0.6],
  ['a report that leaves out most of the prompt lowers it only to a tenth', [20], 0.1],
])('%s', (_what, reported, share) => {
  expect(learnt(...reported)).toBeCloseTo(share, 5)
})

test('an odd report is forgotten', () => {
  expect(learnt(20, ...times(500, 850))).toBeGreaterThan(0.5)
})

test('short prompts and missing reports teach nothing', () => {
  const shares = new PromptShares()
  shares.answered('p:m', { estimated: 999, reported: 10 })
  shares.answered('p:m', { estimated: 2_000, reported: 0 })
  expect(shares.least.size).toBe(0)
})
