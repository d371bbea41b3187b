/**
 * Prices that change with time: by the hour of the day (peak hours) or from a day on. They are resolved
 * before a request is routed, so that its estimate, its reservation and its bill use the same price.
 */
import type { Model } from '../../shared/entities.ts'
import {
  priceSinceLastDate,
  type PriceSchedule,
  type TimedPrice,
  type TokenPrice,
} from '../../shared/models/price.ts'

export interface PriceInForce {
  price: TokenPrice
  /** Unix milliseconds until which the price is sure to stay; Infinity if it never changes. */
  untilMs: number
}

const dayMs = 86_400_000
const minuteMs = 60_000

/** @param atMs  Unix milliseconds */
export function priceInForce(schedule: PriceSchedule, atMs: number): PriceInForce {
  let price: TokenPrice = schedule
  let untilMs = Infinity
  for (const timed of schedule.timed ?? []) {
    if (isInForce(timed, atMs)) price = timed
    untilMs = Math.min(untilMs, nextChangeMs(timed, atMs))
  }
  return { price, untilMs }
}

/** Null for a model without a price. */
export function scheduleOf(model: Model): PriceSchedule | null {
  const { inputUsdPerMtok, outputUsdPerMtok, cacheReadUsdPerMtok, cacheWriteUsdPerMtok } = model
  if (inputUsdPerMtok === null || outputUsdPerMtok === null) return null
  return {
    inputUsdPerMtok,
    outputUsdPerMtok,
    cacheReadUsdPerMtok,
    cacheWriteUsdPerMtok,
    cacheWrite1hUsdPerMtok: model.cacheWrite1hUsdPerMtok,
    tiers: model.priceTiers,
    timed: model.timedPrices,
  }
}

/**
 * The model as it is shown: its price is the one since the last date, and its times are those of certain hours and of
 * later dates.
 * @param nowMs  Unix milliseconds
 */
export function withPriceOfToday(model: Model, nowMs: number): Model {
  const { timedPrices } = model
  const today = priceSinceLastDate(timedPrices, nowMs)
  if (today === undefined) return model
  return {
    ...model,
    inputUsdPerMtok: today.inputUsdPerMtok,
    outputUsdPerMtok: today.outputUsdPerMtok,
    cacheReadUsdPerMtok: today.cacheReadUsdPerMtok ?? null,
    cacheWriteUsdPerMtok: today.cacheWriteUsdPerMtok ?? null,
    cacheWrite1hUsdPerMtok: today.cacheWrite1hUsdPerMtok ?? null,
    priceTiers: today.tiers ?? [],
    // It has replaced the times before it for good.
    timedPrices: timedPrices.slice(timedPrices.indexOf(today) + 1),
  }
}

function isInForce({ startsAtMs, hoursUtc }: TimedPrice, atMs: number): boolean {
  if (startsAtMs !== null && atMs < startsAtMs) return false
  if (hoursUtc === null) return true
  const ofDayMs = atMs % dayMs
  const from = timeOfDayMs(hoursUtc.from)
  const until = timeOfDayMs(hoursUtc.until)
  return until < from ? ofDayMs >= from || ofDayMs < until : ofDayMs >= from && ofDayMs < until
}

/** The next time at which the price may begin or end. */
function nextChangeMs({ startsAtMs, hoursUtc }: TimedPrice, atMs: number): number {
  if (startsAtMs !== null && startsAtMs > atMs) return startsAtMs
  if (hoursUtc === null) return Infinity
  const midnightMs = atMs - (atMs % dayMs)
  const times = [hoursUtc.from, hoursUtc.until].map((time) => midnightMs + timeOfDayMs(time))
  return Math.min(...times.map((timeMs) => (timeMs > atMs ? timeMs : timeMs + dayMs)))
}

function timeOfDayMs(time: string): number {
  return (Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))) * minuteMs
}
