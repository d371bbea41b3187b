/** What a router's settings buy, measured as the study of routing does (RouterBench, RouteLLM). */
import { mean } from './mean.ts'

/** What one setting costs a request and how good its answers are, on average. */
export interface Point {
  cost: number
  quality: number
}

/** Those that no mix of two others beats, by rising cost. */
export function hullOf(points: readonly Point[]): Point[] {
  const hull: Point[] = []
  for (const point of points.toSorted((a, b) => a.cost - b.cost || b.quality - a.quality)) {
    if (point.quality <= (hull.at(-1)?.quality ?? -Infinity)) continue
    while (isBelow(hull.at(-2), hull.at(-1), point)) hull.pop()
    hull.push(point)
  }
  return hull
}

/** The least that this quality costs, with two settings mixed; NaN where it is not reached. */
export function costAt(hull: readonly Point[], quality: number): number {
  const above = hull.findIndex((point) => point.quality >= quality)
  const [low, high] = [hull[above - 1], hull[above]]
  if (!high) return NaN
  if (!low) return high.cost
  return (
    low.cost + ((high.cost - low.cost) * (quality - low.quality)) / (high.quality - low.quality)
  )
}

/** Mean quality over all costs from `least` to `most`: AIQ in the form of the paper. */
export function areaUnder(hull: readonly Point[], least: number, most: number): number {
  const corners = [
    least,
    ...hull.map(({ cost }) => cost).filter((c) => c > least && c < most),
    most,
  ]
  let area = 0
  for (const [index, to] of corners.entries()) {
    const from = corners[index - 1]
    if (from === undefined) continue
    // Just right of the first corner the hull has begun, at it perhaps not: the middle is exact for a line.
    area += (to - from) * qualityAt(hull, (from + to) / 2)
  }
  return area / (most - least)
}

/** Below the cheapest setting nothing is bought, above the dearest no more than it buys. */
function qualityAt(hull: readonly Point[], cost: number): number {
  const above = hull.findIndex((point) => point.cost >= cost)
  if (above === -1) return hull.at(-1)?.quality ?? 0
  const [low, high] = [hull[above - 1], hull[above]]
  if (!low || !high) return 0
  return low.quality + ((high.quality - low.quality) * (cost - low.cost)) / (high.cost - low.cost)
}

function isBelow(before: Point | undefined, middle: Point | undefined, after: Point): boolean {
  if (!before || !middle) return false
  const rise = (middle.quality - before.quality) * (after.cost - before.cost)
  return rise <= (after.quality - before.quality) * (middle.cost - before.cost)
}

/** A prompt's rank by the router's score, and what the two models made of it. */
export interface PairOutcome {
  score: number
  weak: number
  strong: number
}

export interface PairCurve {
  /** Share of the gap between the models that is closed, over all shares of requests; random has 0.5. */
  apgr: number
  /** Least share of requests at the strong model that closes half and four fifths of the gap. */
  cpt50: number
  cpt80: number
}

/** All n + 1 cuts; prompts of one score are cut at random, which is a straight line. */
export function pairCurve(outcomes: readonly PairOutcome[]): PairCurve {
  const gap = mean(outcomes.map(({ weak, strong }) => strong - weak))
  const cuts = [{ share: 0, closed: 0 }]
  let closed = 0
  const sorted = outcomes.toSorted((a, b) => b.score - a.score)
  for (const [index, { score, weak, strong }] of sorted.entries()) {
    closed += (strong - weak) / outcomes.length / gap
    if (sorted[index + 1]?.score !== score) {
      cuts.push({ share: (index + 1) / outcomes.length, closed })
    }
  }
  let apgr = 0
  for (const [index, cut] of cuts.entries()) {
    const before = cuts[index - 1]
    if (before) apgr += ((cut.share - before.share) * (cut.closed + before.closed)) / 2
  }
  const leastShare = (part: number) => cuts.find((cut) => cut.closed >= part)?.share ?? NaN
  return { apgr, cpt50: leastShare(0.5), cpt80: leastShare(0.8) }
}
