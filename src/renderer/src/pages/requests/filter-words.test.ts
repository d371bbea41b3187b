import { expect, test } from 'vitest'
import { changeOf, chipsOf, noFilter, readAddress, removalOf } from './filter-words.ts'

const names = { router: (id: string) => `name of ${id}`, key: (id: string) => `name of ${id}` }
const textsOf = (search: Partial<Record<string, string>>) =>
  chipsOf(readAddress(search), names).map(({ text }) => text)

test('each part of the address is a chip in words', () => {
  expect(
    textsOf({
      range: '7d',
      routerId: 'r',
      model: 'a:x',
      end: 'failed',
      apiKeyId: '',
      decision: 'pinned',
      source: 'chat',
      client: 'curl',
      tag: 'shop',
      request: 'open',
    }),
  ).toEqual([
    'Last 7 days',
    'Router: name of r',
    'Model: a:x',
    'Status: Failed',
    'Key: None',
    'Client: curl',
    'Decision: Named by the caller',
    'Source: Chat',
    'Tag: shop',
  ])
})

test('exact times replace the range, and choosing a range replaces them', () => {
  const fromMs = String(new Date('2026-11-22T14:00').getTime())
  expect(readAddress({ range: '7d', fromMs }).range).toBeNull()
  expect(textsOf({ range: '7d', fromMs })).toEqual(['Since Nov 22, 2026, 14:00'])
  expect(changeOf('time', '1h')).toEqual({ range: '1h', fromMs: undefined, toMs: undefined })
})

test('clearing removes every part, and nothing else of the address', () => {
  const search = { range: '1h', toMs: '5', tag: 'shop', executionId: 'e', request: 'open' }
  expect({ ...search, ...noFilter }).toEqual({ request: 'open' })
})

test('removing some parts leaves the others as they are', () => {
  const search = { range: '7d', model: 'a:x', tag: 'shop', group: 'key' }
  expect({ ...search, ...removalOf(['model', 'tag']) }).toEqual({ range: '7d', group: 'key' })
})
