/** Models for tests. */
import type { Model } from '../../src/shared/entities.ts'
import type { ListedModel } from '../../src/shared/models/listed-model.ts'

export function model(id: string, price: [number, number] | null): Model {
  return {
    id,
    providerId: id.slice(0, id.indexOf(':')),
    inputUsdPerMtok: price?.[0] ?? null,
    outputUsdPerMtok: price?.[1] ?? null,
    cacheReadUsdPerMtok: null,
    cacheWriteUsdPerMtok: null,
    priceTiers: [],
    timedPrices: [],
    contextTokens: null,
    maxOutputTokens: null,
    capabilities: [],
    quality: null,
    rating: null,
    efforts: [],
    energyWhPerKtok: null,
    size: null,
    speed: null,
    region: null,
    parameters: { refuses: [], samplesWithoutReasoning: false, sendsTemperature: false },
    priceSource: null,
  }
}

export function rated(rateable: Model, points: number): Model {
  const figures = { effort: null, halfWidth: 10, strength: 5, offsets: {}, outputRatio: 1 }
  const source = { source: 'a leaderboard', asOf: '2026-11-01', basis: 'measured' as const }
  return { ...rateable, rating: { points, ...figures, ...source } }
}

export function listed(listable: Model, differences: Partial<ListedModel> = {}): ListedModel {
  return {
    model: listable,
    isOwn: false,
    providerType: listable.providerId,
    typeName: listable.providerId,
    energy: { low: 0.2, mid: 0.4, high: 0.9, method: 'modelled' },
    sources: { context: null, capabilities: null, energy: null, size: null, speed: null },
    ...differences,
  }
}
