/** Prices of @pydantic/genai-prices in the catalogue's form: a row, tiers of it, and timed ones. */
import { calcPrice } from '@pydantic/genai-prices'

/** @typedef {import('@pydantic/genai-prices').ModelPrice} ModelPrice */
/** @typedef {import('@pydantic/genai-prices').ConditionalPrice} ConditionalPrice */

/**
 * @param {string} provider @param {string} name
 * @param {string} asOf  what was in force before that day only is left out
 */
export function priceOf(provider, name, asOf) {
  const found = calcPrice({ input_tokens: 1 }, name, {
    providerId: provider,
    timestamp: new Date(`${asOf}T12:00:00Z`),
  })
  if (!found) throw new Error(`no price for ${provider}:${name}`)
  const { prices, match, context_window: contextWindow } = found.model
  const aliases = equalNames(match).filter((other) => isSnapshotOf(other, name))
  // OpenRouter's free variants have no price to give.
  const isFree = name.endsWith(':free') && Object.keys(prices).length === 0
  const given = isFree ? { input_mtok: 0, output_mtok: 0 } : prices
  return { price: scheduleOf(given, asOf), aliases, contextWindow: contextWindow ?? null }
}

/**
 * The names a price is for; of names by pattern nothing can be listed.
 * @param {import('@pydantic/genai-prices').MatchLogic} match
 * @returns {string[]}
 */
function equalNames(match) {
  if ('equals' in match) return [match.equals]
  return 'or' in match ? match.or.flatMap(equalNames) : []
}

/**
 * A price is shared by models that can do different things: only a date makes a name an alias.
 * @param {string} other @param {string} name
 */
function isSnapshotOf(other, name) {
  return other.startsWith(`${name}-`) && /^\d{4}-\d{2}-\d{2}$/.test(other.slice(name.length + 1))
}

/** @param {ModelPrice | ConditionalPrice[]} prices @param {string} asOf */
function scheduleOf(prices, asOf) {
  const conditional = Array.isArray(prices) ? prices : [{ prices }]
  const base = conditional.filter(({ constraint }) => hasBegun(constraint, asOf)).at(-1)
  if (!base) throw new Error('no price is in force without a condition')
  const timed = conditional
    .slice(conditional.indexOf(base) + 1)
    .map(({ constraint, prices: row }) => ({
      startsAtMs: constraint?.type === 'start_date' ? Date.parse(constraint.start_date) : null,
      hoursUtc: constraint?.type === 'time_of_date' ? hoursOf(constraint) : null,
      ...tokenPriceOf(row),
    }))
  return { ...tokenPriceOf(base.prices), timed }
}

/** @param {ConditionalPrice['constraint']} constraint @param {string} asOf */
function hasBegun(constraint, asOf) {
  return !constraint || (constraint.type === 'start_date' && constraint.start_date <= asOf)
}

/** @param {import('@pydantic/genai-prices').TimeOfDateConstraint} constraint */
function hoursOf({ start_time, end_time }) {
  for (const time of [start_time, end_time]) {
    if (!/^\d\d:\d\d:00Z$/.test(time))
      throw new Error(`a time that is no whole UTC minute: ${time}`)
  }
  return { from: start_time.slice(0, 5), until: end_time.slice(0, 5) }
}

/** @param {ModelPrice} prices */
function tokenPriceOf(prices) {
  const starts = new Set(Object.values(prices).flatMap((price) => tiersOf(price)))
  const tiers = [...starts].toSorted((a, b) => a - b)
  return {
    ...rowOf(prices, 0),
    // A tier of theirs holds for prompts longer than `start`.
    tiers: tiers.map((start) => ({ fromPromptTokens: start + 1, ...rowOf(prices, start + 1) })),
  }
}

/** @param {ModelPrice[string]} price */
function tiersOf(price) {
  return typeof price === 'object' ? price.tiers.map(({ start }) => start) : []
}

/** @param {ModelPrice} prices @param {number} promptTokens */
function rowOf(prices, promptTokens) {
  const { input_mtok, output_mtok, cache_read_mtok, cache_write_mtok } = prices
  return {
    inputUsdPerMtok: amountOf(input_mtok, promptTokens),
    outputUsdPerMtok: amountOf(output_mtok, promptTokens),
    cacheReadUsdPerMtok: amountOf(cache_read_mtok, promptTokens),
    cacheWriteUsdPerMtok: amountOf(cache_write_mtok, promptTokens),
  }
}

/** @param {ModelPrice[string]} price @param {number} promptTokens */
function amountOf(price, promptTokens) {
  if (typeof price !== 'object') return price ?? null
  return price.tiers.findLast(({ start }) => promptTokens > start)?.price ?? price.base
}
