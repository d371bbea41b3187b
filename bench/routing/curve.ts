/** The cost and quality of a router's settings, measured as in the studies of routing (RouterBench, RouteLLM). */
import { mean } from '../../training/reader/mean.ts'

/** The mean cost per request and quality of one setting. */
export interface Point {
  cost: number
  quality: number
}

/** The points that no mix of two others beats, by rising cost. */
export function hullOf(points: readonly Point[]): Point[] {
  const hull: Point[] = []
  for (const point of points.toSorted((a, b) => a.cost - b.cost || b.quality - a.quality)) {
    if (point.quality <= (hull.at(-1)?.quality ?? -Infinity)) continue
    while (isBelow(hull.at(-2), hull.at(-1), point)) hull.pop()
    hull.push(point)
  }
  return hull
}

/** The lowest cost of this quality with a mix of two settings; NaN if it is not reached. */
export function costAt(hull: readonly Point[], quality: number): number {
  const above = hull.findIndex((point) => point.quality >= quality)
  const [low, high] = [hull[above - 1], hull[above]]
  if (!high) return NaN
  if (!low) return high.cost
  return (
    low.cost + ((high.cost - low.cost) * (quality - low.quality)) / (high.quality - low.quality)
  )
}

/** The mean quality over all costs from `least` to `most`: AIQ as defined in the paper. */
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
    // The hull starts at the first corner, where it may jump; the middle of a segment is exact for a line.
    area += (to - from) * qualityAt(hull, (from + to) / 2)
  }
  return area / (most - least)
}

/** Below the cheapest setting the quality is 0, and above the most expensive one it does not increase. */
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

/** A prompt's position by the router's score, and the two models' scores on it. */
export interface PairOutcome {
  score: number
  weak: number
  strong: number
}

export interface PairCurve {
  /**
   * The share of the quality gap between the models that is closed, averaged over all shares of requests; 0.5 at
   * random.
   */
  apgr: number
  /** The smallest share of requests at the strong model that closes half and four fifths of the gap. */
  cpt50: number
  cpt80: number
}

/** All n + 1 thresholds. Prompts with the same score are split at random, which gives a straight line. */
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
