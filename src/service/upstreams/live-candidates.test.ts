/** Candidates of a router, from the catalogue and the configuration. */
import { expect, test } from 'vitest'
import { loadCatalog } from '../catalog/catalog.ts'
import { liveCandidates } from './live-candidates.ts'
import type { ConfigurationIndex } from '../storage/live-configuration.ts'
import type { Router } from '../../shared/entities.ts'

function openCandidates(now: () => number) {
  const providers = new Map([['deepseek', { id: 'deepseek', type: 'deepseek', options: {} }]])
  const index = { providers, models: new Map(), listedModels: {} }
  // Only the parts that candidates are built from.
  const current = () => index as unknown as ConfigurationIndex
  const configuration = {
    current,
    onChange: () => () => {},
    refresh: async () => {},
    compare: async () => {},
    ageMs: () => 0,
    close: () => {},
  }
  const router = { models: ['deepseek:deepseek-v4-flash'] } as unknown as Router
  const catalog = loadCatalog()
  const { candidatesOf } = liveCandidates(catalog, configuration, now)
  return { catalog, candidates: () => candidatesOf(router) }
}

test('candidates have the price of the hour and stay the same object until it changes', () => {
  let nowMs = Date.parse('2026-11-21T00:59:59Z')
  const { candidates } = openCandidates(() => nowMs)
  const before = candidates()
  expect(before[0]?.price).toMatchObject({ inputUsdPerMtok: 0.22, outputUsdPerMtok: 0.66 })

  nowMs += 999
  expect(candidates()).toBe(before)

  nowMs += 1
  const peak = candidates()
  expect(peak[0]?.price).toMatchObject({ inputUsdPerMtok: 0.44, outputUsdPerMtok: 1.32 })
  expect(candidates()).toBe(peak)

  nowMs = Date.parse('2026-11-21T04:00:00Z')
  expect(candidates()[0]?.price).toMatchObject({ inputUsdPerMtok: 0.22 })
})

test('a downloaded catalogue applies to the next request', () => {
  const { catalog, candidates } = openCandidates(() => Date.parse('2026-11-21T12:00:00Z'))
  const models = catalog.models().map((model) => ({ ...model, inputUsdPerMtok: 7 }))
  expect(candidates()[0]?.price.inputUsdPerMtok).toBe(0.22)

  catalog.use({ formatVersion: 1, asOf: '2026-11-21', models })
  expect(candidates()[0]?.price.inputUsdPerMtok).toBe(7)

  catalog.use(null)
  expect(candidates()[0]?.price.inputUsdPerMtok).toBe(0.22)
})
