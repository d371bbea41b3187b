/** What was spent over time, beside the budget, a forecast, and the cost of always using one model. */
import { formatShare, formatUsd } from '../../../shared/strings/format.ts'
import type { Budget } from '../../../shared/routers/budget.ts'
import type { UsageReport } from '../../../shared/requests/usage.ts'
import type { UsageRange } from '../usage/range.ts'
import { bucketsOf, type Bucket } from './buckets.ts'
import { tableOf, type ChartSeries, type TimeData } from './chart-series.ts'
import { noRequests, type BaseFilter } from './chart-text.ts'
import { draftLevel, draftSentence, type DraftOverlay } from './draft-overlay.ts'
import { linearScale, type Scale } from './scales.ts'
import type { Forecast } from '../usage/forecast.ts'
import type { Saving } from './savings.ts'
import { joinSentences } from '../../../shared/strings/join.ts'
import { t } from '../../../shared/strings/strings.ts'

const dayMs = 86_400_000
const daysPerMonth = 365.25 / 12

export interface SpendInput {
  base: BaseFilter
  budget: Budget | null
  forecast: Forecast | null
  saving: Saving | null
  /** Unsaved settings of the router. */
  draft?: DraftOverlay | null
}

export interface Spend extends TimeData {
  /** The ends of lines: the start of the range, then the end of each bucket, then the end of the forecast. */
  times: readonly number[]
  /** US dollars since the start of the range, at each time; null in the forecast. */
  spentUsd: readonly (number | null)[]
  /** The same if every request had gone to the model compared with; null without one. */
  alwaysUsd: readonly (number | null)[] | null
  /** The spend of the whole range under the unsaved settings; null without any. */
  draftUsd: number | null
  /** An even use of the budget; null without one, and where it is too far above the spend to be drawn. */
  budgetUsd: readonly number[] | null
  forecastUsd: readonly (number | null)[] | null
  untilMs: number
  scale: Scale
}

/** The colours of the lines. */
export const spendColors = { spent: 'var(--color-series-1)', always: 'var(--color-series-2)' }

export function spendOf(report: UsageReport, range: UsageRange, input: SpendInput): Spend {
  const { forecast, saving, draft, budget } = input
  const buckets = bucketsOf(report, range)
  const untilMs = forecast ? range.toMs + forecastMs(range) : range.toMs
  const times = [range.fromMs, ...buckets.map(({ endMs }) => endMs), ...(forecast ? [untilMs] : [])]
  const spentUsd = cumulated(buckets, ({ point }) => point?.total.costUsd ?? 0)
  const total = spentUsd.at(-1) ?? 0
  const always = saving?.bucketsUsd ? cumulated(saving.bucketsUsd, (usd) => usd) : null
  const forecastUsd = forecast && forecastLine(times, total, forecast.usdPerDay)
  const draftUsd = draftLevel(total, draft?.costFactor)
  const ends = [total, always?.at(-1), forecastUsd?.at(-1), draftUsd]
  const highest = Math.max(...ends.map((usd) => usd ?? 0))
  const budgetUsd = budgetLine(times, budget, highest)
  const pad = forecast ? [null] : []
  const series = seriesOf(spentUsd, always, saving?.model)
  return {
    buckets,
    series,
    times,
    spentUsd: [...spentUsd, ...pad],
    alwaysUsd: always && [...always, ...pad],
    draftUsd,
    budgetUsd,
    forecastUsd,
    untilMs,
    scale: linearScale(Math.max(highest, budgetUsd?.at(-1) ?? 0)),
    text: {
      sentence: sentenceOf(report, range, { ...input, draftUsd }),
      table: tableOf(buckets, series, input.base),
    },
  }
}

function seriesOf(
  spentUsd: readonly number[],
  alwaysUsd: readonly number[] | null,
  model: string | undefined,
): ChartSeries[] {
  const spent: ChartSeries[] = [
    { label: t('In this time'), valueOf: ({ point }) => formatUsd(point.total.costUsd) },
    {
      label: t('Since the start'),
      valueOf: (_bucket, index) => formatUsd(spentUsd[index + 1] ?? null),
      color: spendColors.spent,
    },
  ]
  if (alwaysUsd === null || model === undefined) return spent
  const always = (_bucket: Bucket, index: number) => formatUsd(alwaysUsd[index + 1] ?? null)
  return [
    ...spent,
    { label: t('Always {model}', { model }), valueOf: always, color: spendColors.always },
  ]
}

/** The forecast takes a sixth more of the time axis. */
function forecastMs({ fromMs, toMs }: UsageRange): number {
  return (toMs - fromMs) / 6
}

function cumulated<Item>(items: readonly Item[], valueOf: (item: Item) => number): number[] {
  let sum = 0
  return [0, ...items.map((item) => (sum += valueOf(item)))]
}

function forecastLine(times: readonly number[], spent: number, usdPerDay: number) {
  const [nowMs = 0, untilMs = 0] = times.slice(-2)
  return times.map((atMs) => {
    if (atMs < nowMs) return null
    return atMs === nowMs ? spent : spent + (usdPerDay * (untilMs - nowMs)) / dayMs
  })
}

/** A budget far above the spend would press the other lines to the ground. */
const mostTimesSpend = 4

function budgetLine(times: readonly number[], budget: Budget | null, highest: number) {
  const usdPerDay = budget && budgetPerDay(budget)
  const [fromMs = 0] = times
  if (usdPerDay === null) return null
  const line = times.map((atMs) => (usdPerDay * (atMs - fromMs)) / dayMs)
  return (line.at(-1) ?? 0) <= highest * mostTimesSpend ? line : null
}

/** The tighter of both budgets, as an even use per day; null without one. */
function budgetPerDay({ budgetUsdPerDay, budgetUsdPerMonth }: Budget): number | null {
  const perDay = [
    ...(budgetUsdPerDay === null ? [] : [budgetUsdPerDay]),
    ...(budgetUsdPerMonth === null ? [] : [budgetUsdPerMonth / daysPerMonth]),
  ]
  return perDay.length === 0 ? null : Math.min(...perDay)
}

function sentenceOf(
  { total: { costUsd, requests } }: UsageReport,
  range: UsageRange,
  { budget, saving, forecast, draft, draftUsd }: SpendInput & { draftUsd: number | null },
): string {
  if (requests === 0) return noRequests
  const sentences = [
    t('{costUsd} for {countOf}.', { costUsd: formatUsd(costUsd), countOf: countOf(requests) }),
    budgetSentence(budget, range, costUsd),
    savingSentence(saving, costUsd),
    forecast?.sentence ?? '',
    draft && draftUsd !== null ? draftSentence('usd', draftUsd, draft) : '',
  ]
  return joinSentences(sentences)
}

function savingSentence(saving: Saving | null, costUsd: number): string {
  if (saving === null) return ''
  if (saving.savedUsd === null || saving.alwaysUsd === null)
    return t('Saved against always {model}: —, it has no price.', { model: saving.model })
  // Less than the dearer of both.
  const basisUsd = saving.savedUsd > 0 ? saving.alwaysUsd : costUsd
  const share = basisUsd > 0 ? ` (${formatShare(Math.abs(saving.savedUsd) / basisUsd)})` : ''
  if (costUsd === saving.alwaysUsd)
    return t('Always {model} would have cost the same.', { model: saving.model })
  return saving.savedUsd > 0
    ? t('Saved {savedUsd}{share} against always {model}.', {
        savedUsd: formatUsd(saving.savedUsd),
        share,
        model: saving.model,
      })
    : t('Always {model} would have cost {savedUsd} less{share}.', {
        model: saving.model,
        savedUsd: formatUsd(-saving.savedUsd),
        share,
      })
}

function budgetSentence(
  budget: Budget | null,
  { fromMs, toMs }: UsageRange,
  costUsd: number,
): string {
  const usdPerDay = budget && budgetPerDay(budget)
  if (usdPerDay === null || usdPerDay === 0) return ''
  const share = costUsd / ((usdPerDay * (toMs - fromMs)) / dayMs)
  return t('Spending is at {share} of the budget’s even pace.', { share: formatShare(share) })
}

function countOf(requests: number): string {
  return t('{count, plural, one {1 request} other {# requests}}', { count: requests })
}
