/** How well expected qualities fit what happened, and how well two orders agree. */
import { mean } from '../../training/reader/mean.ts'

export interface Forecast {
  expected: number
  /** 0 to 1. */
  score: number
}

/** Mean squared error; 0.25 for always saying one half. */
export function brierOf(forecasts: readonly Forecast[]): number {
  return mean(forecasts.map(({ expected, score }) => (expected - score) ** 2))
}

/** Expected calibration error: the mean gap in tenths of the expected quality, weighted by their number. */
export function calibrationError(forecasts: readonly Forecast[]): number {
  const bins = Array.from({ length: binCount }, () => ({ gap: 0 }))
  for (const { expected, score } of forecasts) {
    const bin = bins[Math.min(binCount - 1, Math.floor(expected * binCount))]
    if (bin) bin.gap += expected - score
  }
  return bins.reduce((sum, { gap }) => sum + Math.abs(gap), 0) / forecasts.length
}

const binCount = 10

/** Spearman's: the correlation of the ranks; equal values share the mean of their ranks. */
export function rankCorrelation(pairs: readonly (readonly [number, number])[]): number {
  const first = ranksOf(pairs.map(([one]) => one))
  const second = ranksOf(pairs.map(([, other]) => other))
  const middle = (pairs.length - 1) / 2
  let together = 0
  let ofFirst = 0
  let ofSecond = 0
  for (const [index, rank] of first.entries()) {
    const other = (second[index] ?? 0) - middle
    together += (rank - middle) * other
    ofFirst += (rank - middle) ** 2
    ofSecond += other ** 2
  }
  return together / Math.sqrt(ofFirst * ofSecond)
}

function ranksOf(values: readonly number[]): number[] {
  const places = [...values.keys()].toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const ranks = values.map(() => 0)
  for (let from = 0; from < places.length;) {
    let to = from
    while (to < places.length && values[places[to] ?? 0] === values[places[from] ?? 0]) to += 1
    for (const place of places.slice(from, to)) ranks[place] = (from + to - 1) / 2
    from = to
  }
  return ranks
}
