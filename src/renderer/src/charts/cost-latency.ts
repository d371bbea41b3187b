/** Models by what their answers cost and how long the slow ones take. */
import { formatCount, formatDuration, formatUsd } from '../../../shared/strings/format.ts'
import type { RequestFilter } from '../../../shared/requests/search.ts'
import type { UsageReport } from '../../../shared/requests/usage.ts'
import { noRequests, type BaseFilter, type ChartText } from './chart-text.ts'
import { draftChoiceSentence, type DraftOverlay } from './draft-overlay.ts'
import { linearScale, scaleOf, type Scale } from './scales.ts'
import { allTokens } from './tokens.ts'
import { joinSentences } from '../../../shared/strings/join.ts'
import { t } from '../../../shared/strings/strings.ts'

export interface MapPoint {
  model: string
  requests: number
  usdPerKtok: number
  p95Ms: number
  /** No other model is both cheaper and faster. */
  isOnFront: boolean
  filter: RequestFilter
}

export interface CostLatencyMap {
  /** The cheapest first. */
  points: readonly MapPoint[]
  costs: Scale
  times: Scale
  text: ChartText
}

/** @param report  by model */
export function costLatencyMap(
  report: UsageReport,
  base: RequestFilter,
  draft: DraftOverlay | null = null,
): CostLatencyMap {
  const points = withFront(pointsOf(report, base))
  return {
    points,
    costs: costScale(points.map(({ usdPerKtok }) => usdPerKtok)),
    times: scaleOf(
      points.map(({ p95Ms }) => p95Ms),
      'duration',
    ),
    text: withDraft(textOf(report, points), draft),
  }
}

function pointsOf(report: UsageReport, base: BaseFilter) {
  return report.groups
    .flatMap(({ name, figures }) => {
      const tokens = allTokens(figures)
      if (name === '' || figures.latencyMs === null || tokens === 0) return []
      return {
        model: name,
        requests: figures.requests,
        usdPerKtok: (figures.costUsd / tokens) * 1000,
        p95Ms: figures.latencyMs.p95,
        filter: { ...base, model: name },
      }
    })
    .toSorted((a, b) => a.usdPerKtok - b.usdPerKtok || a.p95Ms - b.p95Ms)
}

/** Marks the front: from the cheapest on, the models that are faster than all before them. */
function withFront(points: readonly Omit<MapPoint, 'isOnFront'>[]): MapPoint[] {
  let fastestMs = Infinity
  return points.map((point) => {
    const isOnFront = point.p95Ms < fastestMs
    fastestMs = Math.min(fastestMs, point.p95Ms)
    return { ...point, isOnFront }
  })
}

/** The share of a logarithmic axis that belongs to free models, which have no place on it. */
const freeShare = 0.12

function costScale(costs: readonly number[]): Scale {
  const priced = scaleOf(costs.filter((usd) => usd > 0))
  if (priced.kind === 'linear') return linearScale(Math.max(0, ...costs))
  if (!costs.includes(0)) return priced
  return {
    ...priced,
    min: 0,
    marks: [0, ...priced.marks],
    position: (usd) => (usd === 0 ? 0 : freeShare + (1 - freeShare) * priced.position(usd)),
  }
}

function withDraft(text: ChartText, draft: DraftOverlay | null): ChartText {
  if (draft === null) return text
  return { ...text, sentence: `${text.sentence} ${draftChoiceSentence(draft)}` }
}

function textOf({ total }: UsageReport, points: readonly MapPoint[]): ChartText {
  return {
    sentence: sentenceOf(total.requests, points),
    table: {
      columns: [t('Model'), t('Requests'), t('Per 1,000 tokens'), 'p95', t('Best trade-off')],
      rows: points.map(({ model, requests, usdPerKtok, p95Ms, isOnFront, filter }) => ({
        key: model,
        cells: [
          model,
          formatCount(requests),
          formatUsd(usdPerKtok),
          formatDuration(p95Ms),
          isOnFront ? t('Yes') : t('No'),
        ],
        filter,
      })),
    },
  }
}

function sentenceOf(requests: number, points: readonly MapPoint[]): string {
  const [cheapest] = points
  const fastest = points.toSorted((a, b) => a.p95Ms - b.p95Ms)[0]
  if (!cheapest || !fastest) return requests === 0 ? noRequests : t('No answers in this range.')
  if (points.length === 1) return t('Only {model} answered.', { model: cheapest.model })
  const cost =
    cheapest.usdPerKtok === 0
      ? t('free')
      : t('{usdPerKtok} per 1,000 tokens', { usdPerKtok: formatUsd(cheapest.usdPerKtok) })
  const time = `p95 ${formatDuration(fastest.p95Ms)}`
  if (cheapest === fastest)
    return t('{model} is both the cheapest ({cost}) and the fastest ({time}).', {
      model: cheapest.model,
      cost,
      time,
    })
  const beaten = points.length - points.filter(({ isOnFront }) => isOnFront).length
  const others =
    beaten === 0
      ? []
      : [
          t(
            'For {count, plural, one {1 model} other {# models}} another one is both cheaper and faster.',
            { count: beaten },
          ),
        ]
  const best = t('{cheapest} is the cheapest ({cost}), {fastest} the fastest ({time}).', {
    cheapest: cheapest.model,
    cost,
    fastest: fastest.model,
    time,
  })
  return joinSentences([best, ...others])
}
