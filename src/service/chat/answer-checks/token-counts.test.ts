import { expect, test } from 'vitest'
import { conversationOf, textClass } from './text-class.ts'
import { judgeTokens, type TokenCounts } from './token-counts.ts'

const bodyOf = (content: string) => ({ messages: [{ role: 'user' as const, content }] })
const proseText =
  'The delivery of the contract was late, and the customer asked for an invoice. '.repeat(20)
const prose = textClass(bodyOf(proseText))
const code = textClass(
  bodyOf('  const total = values.reduce((sum, one) => sum + one[0], 0);\n'.repeat(30)),
)

test.each([
  ['The weather is good today and we walked to the park. '.repeat(30), 'latin-m0'],
  ['今日は天気がとても良いので公園まで歩いて行きました'.repeat(30), 'cjk-2-m0'],
  ['сегодня погода очень хорошая и мы пошли в парк '.repeat(30), 'cyrillic-2-m0'],
])('the kind of %s', (text, name) => {
  expect(textClass(bodyOf(text)).name).toBe(name)
})

test('code and prose are different kinds, and tools are another', () => {
  expect(prose.isProse).toBe(true)
  expect(code.isProse).toBe(false)
  const tools = [{ type: 'function' as const, function: { name: 'find' } }]
  expect(textClass({ ...bodyOf(proseText), tools }).isProse).toBe(false)
})

test('later turns have the name of their conversation', () => {
  const first = bodyOf(proseText)
  const later = { messages: [...first.messages, { role: 'assistant' as const, content: 'Yes.' }] }
  const other = bodyOf(`${proseText}!`)
  expect(conversationOf(later)).not.toBe(conversationOf(other))
})

test('a report that no tokenizer gives for prose deviates from the first answer on', () => {
  const counts: TokenCounts = {}
  const report = { estimated: 1_000, kind: prose }
  expect(judgeTokens(counts, { ...report, reported: 800 })).toMatchObject({ deviates: false })
  expect(judgeTokens(counts, { ...report, reported: 2_000 })).toMatchObject({ deviates: true })
  expect(judgeTokens(counts, { ...report, reported: 300 })).toMatchObject({ deviates: true })
})

test('other kinds of text are compared with their own first reports', () => {
  const counts: TokenCounts = {}
  const report = { estimated: 1_000, kind: code }
  for (let answer = 0; answer < 24; answer += 1)
    expect(judgeTokens(counts, { ...report, reported: 1_300 + (answer % 5) * 20 })).toBeNull()
  expect(judgeTokens(counts, { ...report, reported: 1_500 })).toMatchObject({ deviates: false })
  const judged = judgeTokens(counts, { ...report, reported: 2_000 })
  expect(judged?.deviates).toBe(true)
  expect(judged?.factor).toBeCloseTo(1.49, 2)
})
