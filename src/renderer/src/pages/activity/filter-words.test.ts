import { expect, test } from 'vitest'
import { filterOfSearch } from '../../usage/request-links.ts'
import { changeOf, chipsOf, isChosenRange, noFilter, readAddress } from './filter-words.ts'

const nameOf = (id: string) => `name of ${id}`
const names = { router: nameOf, key: nameOf, conversation: nameOf }
const textsOf = (search: Partial<Record<string, string>>) =>
  chipsOf(filterOfSearch(search), names).map(({ text }) => text)

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
      conversationId: 'c',
      request: 'open',
    }),
  ).toEqual([
    'Router: name of r',
    'Model: a:x',
    'Status: Failed',
    'Key: None',
    'Client: curl',
    'Decision: Named by the caller',
    'Source: Chat',
    'Tag: shop',
    'Conversation: name of c',
  ])
})

test('exact times replace the range', () => {
  const fromMs = String(new Date('2026-11-22T14:00').getTime())
  expect(readAddress({ range: '7d', fromMs }).range).toBeNull()
  expect(textsOf({ range: '7d', fromMs })).toEqual(['Since Nov 22, 2026, 14:00'])
  expect(changeOf('time', undefined)).toEqual({ fromMs: undefined, toMs: undefined })
})

test('clearing removes every part, and nothing else of the address', () => {
  const search = { range: '1h', toMs: '5', tag: 'shop', executionId: 'e', request: 'open' }
  expect({ ...search, ...noFilter }).toEqual({ range: '1h', request: 'open' })
})

test('without a range in the address, the last 30 days are shown', () => {
  expect(readAddress({}).range).toBe('30d')
  expect(readAddress({ range: 'all' }).range).toBeNull()
})

test('the usual range and all time are no filter that a person chose', () => {
  expect((['30d', 'all', null] as const).map((range) => isChosenRange(range))).toEqual([
    false,
    false,
    false,
  ])
  expect(isChosenRange('24h')).toBe(true)
})
