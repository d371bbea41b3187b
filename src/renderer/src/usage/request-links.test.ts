import { expect, test } from 'vitest'
import type { RequestFilter } from '../../../shared/requests/search.ts'
import { filterOfSearch, searchOfFilter } from './request-links.ts'

test('a filter survives its address', () => {
  const filter: RequestFilter = {
    fromMs: 1_795_000_000_000,
    toMs: 1_795_000_060_000,
    model: 'openai:gpt-5.4',
    apiKeyId: '',
    tag: 'a & b = c',
    end: 'failed',
  }
  const address = new URLSearchParams(searchOfFilter(filter)).toString()
  expect(filterOfSearch(Object.fromEntries(new URLSearchParams(address)))).toEqual(filter)
})

test('invalid parts of an address are left out', () => {
  expect(
    filterOfSearch({ end: 'exploded', fromMs: 'yesterday', range: '7d', tag: 'billing' }),
  ).toEqual({ tag: 'billing' })
  expect(filterOfSearch({ fromMs: '9000000000000000', toMs: '8640000000000000' })).toEqual({
    toMs: 8.64e15,
  })
})
