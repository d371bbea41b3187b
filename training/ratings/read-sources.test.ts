/** The forms of the published files, and what is refused. */
import { expect, test } from 'vitest'
import { ZodError } from 'zod'
import { readArenaTable } from './arena.ts'
import { readSourceName } from './effort-names.ts'
import { readLiveBench } from './livebench.ts'
import { readTable } from './read-table.ts'

test('reads names and figures, and leaves out empty cells', () => {
  const table = readTable('model,a,b\r\none,1.5,2\r\ntwo,,3\nshort,4\n')

  expect([...table].map(([name, row]) => [name, Object.fromEntries(row)])).toEqual([
    ['one', { a: 1.5, b: 2 }],
    ['two', { b: 3 }],
    ['short', { a: 4 }],
  ])
})

test.each([
  ['an empty file', ''],
  ['a header alone', 'model,a'],
  ['a page of HTML', '<!doctype html>\n<title>Not found</title>'],
  ['words for figures', 'model,a\none,high'],
  ['a quoted name', 'model,a\n"one",1'],
  ['more cells than columns', 'model,a\none,1,2'],
  ['control characters in a name', 'model,a\none\u001B[31m,1'],
])('refuses %s', (_what, text) => {
  expect(() => readTable(text)).toThrow(ZodError)
})

test('reads the overall rating and each category of LMArena’s table', () => {
  const { overall, categories } = readArenaTable(
    'model,full,full_hw,coding,coding_hw\none,1440,8,1450,12',
    '2026-07-14',
  )

  expect(overall.get('one')).toEqual({ points: 1440, halfWidth: 8 })
  expect(categories.get('coding')?.get('one')).toEqual({ points: 1450, halfWidth: 12 })
})

test('refuses a rating of LMArena that no model can have', () => {
  expect(() => readArenaTable('model,full,full_hw\none,9000,8', '2026-07-14')).toThrow(ZodError)
})

test('a category of LiveBench is the mean of its tasks, and the overall that of the categories', () => {
  const { rows } = readLiveBench({
    release: '2026-06-25',
    table: 'model,zebra_puzzle,spatial,typos\none,40,60,90',
    categories: { Reasoning: ['zebra_puzzle', 'spatial'], Language: ['typos'], Unheard: ['x'] },
    cost: null,
  })

  expect(rows.get('one')?.overall).toBeCloseTo(0.7)
  expect(rows.get('one')?.categories.get('Reasoning')).toBeCloseTo(0.5)
})

test('refuses scores above 100', () => {
  const table = 'model,typos\none,900'
  const categories = { Language: ['typos'] }

  expect(() => readLiveBench({ release: '2026-06-25', table, categories, cost: null })).toThrow(
    ZodError,
  )
})

test.each([
  ['gpt-5.4-mini-xhigh', 'gpt-5.4-mini', 'xhigh'],
  ['gpt-5-mini-minimal', 'gpt-5-mini', 'minimal'],
  ['gpt-5.1-2025-11-13-nothinking', 'gpt-5.1-2025-11-13', 'none'],
  ['qwen3-235b-a22b-no-thinking', 'qwen3-235b-a22b', 'none'],
  ['claude-haiku-4-5-20251001-thinking-64k', 'claude-haiku-4-5-20251001', 'high'],
  ['claude-sonnet-4-6-thinking-auto-low-effort', 'claude-sonnet-4-6', 'low'],
  ['claude-opus-5-max-effort', 'claude-opus-5', 'max'],
  ['gemini-2.5-pro-06-05-highthinking', 'gemini-2.5-pro-06-05', 'high'],
  ['grok-4.20-beta-0309-non-reasoning', 'grok-4.20-beta-0309', 'none'],
  ['glm-5.2 (max)', 'glm-5.2', 'max'],
  ['GPT-4.1-2025-04-14', 'gpt-4.1-2025-04-14', null],
  ['grok-4-1-fast-reasoning', 'grok-4-1-fast-reasoning', null],
])('%s is %s at %s', (name, base, effort) => {
  expect(readSourceName(name, new Set(['grok-4-1-fast-reasoning']))).toEqual({ base, effort })
})
