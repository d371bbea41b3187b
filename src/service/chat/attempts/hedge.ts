/**
 * Hedging: when the first model sends no output for too long, a second one is asked; the first to send output
 * answers, and the other is cancelled at once. Off by default, and bounded by money, because the cancelled
 * request is paid for. The idea is from "The Tail at Scale" (Dean and Barroso, 2013). Measured on language
 * models (270 prompts, two models), hedging at the 95th percentile sends 5.3 % more requests and halves the
 * slowest thousandth, or has no effect. Hence the floor of 3 s and the default bound of 5 %.
 */
import type { HedgeSetting } from '../../../shared/routers/hedge.ts'
import type { Candidate } from '../../routing/candidate.ts'

const leastAutoMs = 3_000
const leastSamples = 20
const keptSamples = 100
/** A second model that costs more than this many times the first is never asked. */
const greatestPriceRatio = 3
const hourMs = 3_600_000
const hoursKept = 24

/** Hedging of one request. */
export interface Hedge {
  /** How long to wait for the first model's output; null while too little is known about it. */
  delayMs(first: Candidate): number | null
  /** Whether the second model may be asked, too. If so, its cost is set aside. */
  allows(first: Candidate, second: Candidate): boolean
  /** Reports the model that answers. @param tookMs  from the request to its first delta */
  shown(candidate: Candidate, tookMs: number): void
  /** Reports the cost of the finished request, and the cancelled attempt's part of it. */
  finished(costNanoUsd: number, lostNanoUsd: number): void
}

interface Hour {
  hour: number
  spentNanoUsd: number
  extraNanoUsd: number
}

export interface HedgedRequest {
  routerId: string
  setting: HedgeSetting
  /** The estimated cost of this request. */
  costNanoUsdOf(candidate: Candidate): number
  isStreamed: boolean
}

/**
 * Latencies and spending of all requests, in memory: after a restart, nothing is hedged until new samples
 * exist.
 */
export class Hedging {
  readonly #clock: () => number
  /** Latest times to the first delta, oldest first, by model and form of answer. */
  readonly #times = new Map<string, number[]>()
  /** Last 24 hours of each router. */
  readonly #hours = new Map<string, Hour[]>()

  /** @param clock  monotonic milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  request({ routerId, setting, costNanoUsdOf, isStreamed }: HedgedRequest): Hedge {
    const form = isStreamed ? 'stream' : 'whole'
    const keyOf = ({ modelId }: Candidate) => `${form} ${modelId}`
    let aside = 0
    return {
      delayMs: (first) =>
        setting.afterMs === 'auto' ? this.#slowMs(keyOf(first)) : setting.afterMs,
      allows: (first, second) => {
        const firstNanoUsd = costNanoUsdOf(first)
        const secondNanoUsd = costNanoUsdOf(second)
        if (secondNanoUsd > greatestPriceRatio * firstNanoUsd) return false
        // Either of the two may be cancelled.
        const extraNanoUsd = Math.max(firstNanoUsd, secondNanoUsd)
        if (!this.#affords(routerId, setting, extraNanoUsd)) return false
        aside = extraNanoUsd
        this.#hourOf(routerId).extraNanoUsd += extraNanoUsd
        return true
      },
      shown: (candidate, tookMs) => this.#learn(keyOf(candidate), tookMs),
      finished: (costNanoUsd, lostNanoUsd) => {
        const hour = this.#hourOf(routerId)
        hour.spentNanoUsd += costNanoUsd
        hour.extraNanoUsd += lostNanoUsd - aside
        aside = 0
      },
    }
  }

  #learn(key: string, tookMs: number): void {
    const times = this.#times.get(key) ?? []
    this.#times.set(key, times)
    if (times.length === keptSamples) times.shift()
    times.push(tookMs)
  }

  /** The 95th percentile; null with too few samples. */
  #slowMs(key: string): number | null {
    const times = this.#times.get(key) ?? []
    if (times.length < leastSamples) return null
    const sorted = times.toSorted((a, b) => a - b)
    return Math.max(leastAutoMs, sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0)
  }

  #affords(routerId: string, { maxExtraPercent }: HedgeSetting, extraNanoUsd: number): boolean {
    let spent = 0
    let extra = extraNanoUsd
    for (const hour of this.#liveHours(routerId)) {
      spent += hour.spentNanoUsd
      extra += hour.extraNanoUsd
    }
    return extra <= (spent * maxExtraPercent) / 100
  }

  #hourOf(routerId: string): Hour {
    const hours = this.#liveHours(routerId)
    const hour = Math.floor(this.#clock() / hourMs)
    const known = hours.at(-1)
    if (known?.hour === hour) return known
    const fresh = { hour, spentNanoUsd: 0, extraNanoUsd: 0 }
    hours.push(fresh)
    this.#hours.set(routerId, hours)
    return fresh
  }

  #liveHours(routerId: string): Hour[] {
    const oldest = Math.floor(this.#clock() / hourMs) - hoursKept
    const hours = this.#hours.get(routerId) ?? []
    while (hours[0] !== undefined && hours[0].hour <= oldest) hours.shift()
    return hours
  }
}

/** One of two concurrent attempts. */
export interface Contender<Shown> {
  /** Resolves with its first output. */
  shown: Promise<Shown>
}

export interface RaceOptions<Contestant> {
  /** Null: no second attempt. */
  afterMs: number | null
  /** Starts the second attempt; null when none may be made. */
  launch(): Promise<Contestant | null>
  /** Called when an attempt fails. @throws an error that ends the request at once */
  failed(contender: Contestant, cause: unknown): void
}

export interface RaceResult<Contestant, Shown> {
  winner: Contestant
  shown: Shown
  /** The contender that is still running; the caller cancels it. */
  loser: Contestant | null
}

/** @returns null when all attempts failed and `failed` did not throw */
export async function race<Shown, Contestant extends Contender<Shown>>(
  first: Contestant,
  options: RaceOptions<Contestant>,
): Promise<RaceResult<Contestant, Shown> | null> {
  const settle = (contender: Contestant) =>
    contender.shown.then(
      (shown) => ({ contender, shown, hasFailed: false as const }),
      (cause: unknown) => ({ contender, cause, hasFailed: true as const }),
    )
  const running = new Map([[first, settle(first)]])
  const isSlow = options.afterMs !== null && (await outlasts(settle(first), options.afterMs))
  const second = isSlow ? await options.launch() : null
  if (second) running.set(second, settle(second))
  while (running.size > 0) {
    const settled = await Promise.race(running.values())
    running.delete(settled.contender)
    if (!settled.hasFailed) {
      const [loser = null] = running.keys()
      return { winner: settled.contender, shown: settled.shown, loser }
    }
    options.failed(settled.contender, settled.cause)
  }
  return null
}

async function outlasts(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<true>((resolve) => {
    timer = setTimeout(() => resolve(true), ms)
  })
  const isOver = await Promise.race([work.then(() => false), over])
  clearTimeout(timer)
  return isOver
}
