/** What `modelport tune` prints for people. */
import { formatQuality } from '../../shared/models/quality-words.ts'
import { formatDuration, formatUsd } from '../../shared/strings/format.ts'
import type {
  GradedGroup,
  Interval,
  LearnedModel,
  TuningModelResult,
  TuningPlan,
  TuningResult,
  TuningRun,
} from '../../shared/tuning/tuning-run.ts'
import { tableLines, type Columns } from './output.ts'

export const runColumns: Columns<TuningRun> = {
  RUN: ({ id }) => id,
  ROUTER: ({ routerName }) => routerName,
  STARTED: ({ createdAtMs }) => new Date(createdAtMs).toISOString(),
  PROMPTS: ({ from, fileName }) => fileName ?? from,
  'APPLIES TO': ({ appliesTo }) => appliesTo,
  STATE: ({ state, stoppedBy }) => (stoppedBy === null ? state : `${state} (${stoppedBy})`),
  GRADED: ({ prompts: { graded, total } }) => `${graded} of ${total}`,
  REQUESTS: ({ requests: { answered } }) => answered,
  FAILED: ({ requests: { failed, lost } }) => failed + lost,
  SPENT: ({ spentUsd }) => formatUsd(spentUsd),
  CAP: ({ from, capUsd }) => `${formatUsd(capUsd)}${from === 'shadow' ? ' a day' : ''}`,
  'TIME LEFT': ({ leftMs }) => leftMs && formatDuration(leftMs),
}

/** What a run's choice of routers does. */
export function appliesText({ id, routerName, appliesTo }: TuningRun): string {
  switch (appliesTo) {
    case 'all':
      return `All routers learn from the run ${id}.`
    case 'router':
      return `Only ${routerName} learns from the run ${id}. Other routers decide as if it had not been made.`
    case 'none':
      return `No router learns from the run ${id}. Routers decide as if it had not been made.`
  }
}

export function planText(plan: TuningPlan): string {
  const { routerName, models, leftOut, judge, prompts, cost, expectedMs, notes } = plan
  const { chosen, checked, judged, found, duplicates, ungradable } = prompts
  const left = `${duplicates} near-duplicates and ${ungradable} without a way to grade them are left out`
  return [
    `${chosen} prompts of ${found} for ${models.length} models of ${routerName}: ${models.join(', ')}.`,
    `${checked} have a check, ${judged} are for the judge (${judge ?? 'none'}); ${left}.`,
    ...leftOut.map(({ model, reason }) => `Left out: ${model}. ${reason}`),
    `Expected cost: ${formatUsd(cost.expectedUsd)} (from ${formatUsd(cost.lowUsd)}; at most ${formatUsd(cost.highestUsd)}). Expected time: ${formatDuration(expectedMs)}.`,
    `The cap must be at least ${formatUsd(plan.leastCapUsd)}, the highest cost of one prompt.`,
    ...notes,
  ].join('\n')
}

export function progressText({ prompts, spentUsd, leftUsd, leftMs }: TuningRun): string {
  const done = `${prompts.graded + prompts.ungraded} of ${prompts.total} prompts`
  const money = `${formatUsd(spentUsd)} spent, ${formatUsd(leftUsd)} left`
  return `${done}, ${money}${leftMs === null ? '' : `, about ${formatDuration(leftMs)} left`}`
}

const modelColumns: Columns<TuningModelResult> = {
  MODEL: ({ model }) => model,
  PROMPTS: ({ all }) => all.prompts,
  'QUALITY (90 %)': ({ all }) => intervalText(all.quality),
  EXPECTED: ({ expected }) => formatQuality(expected),
  'USD EACH': ({ costUsd }) => costUsd && formatUsd(costUsd),
  TIME: ({ latencyMs }) => latencyMs && formatDuration(latencyMs),
  TOKENS: ({ outputTokens }) => outputTokens && Math.round(outputTokens),
  CUT: ({ cut }) => cut,
  FAILED: ({ failed }) => failed,
}

interface GroupRow extends GradedGroup {
  name: string
  model: string
}

export function resultText(result: TuningResult): string {
  const { run, models, judge, summary, notes } = result
  const domains = models.flatMap(({ model, domains: groups }) =>
    groups.map(({ domain, ...group }) => ({ name: domain, model, ...group })),
  )
  const grades = models.flatMap(({ model, grades: groups }) =>
    groups.map(({ grade, ...group }) => ({ name: String(grade), model, ...group })),
  )
  return [
    `${run.prompts.graded} of ${run.prompts.total} prompts graded, ${formatUsd(run.spentUsd)} of ${formatUsd(run.capUsd)} spent${run.from === 'shadow' ? ' today' : ''}.`,
    ...(run.message === null ? [] : [run.message]),
    '',
    ...tableLines(models, modelColumns),
    '',
    ...groupLines(domains, 'DOMAIN'),
    '',
    ...groupLines(grades, 'GRADE'),
    '',
    ...learnedLines(result.learned),
    ...(judge === null ? [] : [judgeText(judge)]),
    ...notes,
    summary,
  ].join('\n')
}

/** What routing expects now, in order of the models; topics with few graded answers are left out. */
function learnedLines(models: readonly LearnedModel[]): string[] {
  const rows = models.flatMap(({ model, groups }) => groups.map((group) => ({ ...group, model })))
  if (rows.length === 0) return []
  const lines = tableLines(rows, {
    MODEL: ({ model }) => model,
    LEARNED: ({ topic }) => topic ?? 'all prompts',
    ANSWERS: ({ answers }) => answers,
    'EXPECTED BEFORE': ({ before }) => formatQuality(before),
    'NOW (90 %)': ({ now }) => intervalText(now),
  })
  return [...lines, '']
}

function groupLines(rows: readonly GroupRow[], heading: string): string[] {
  const sorted = rows.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
  return tableLines(sorted, {
    [heading]: ({ name }) => name,
    MODEL: ({ model }) => model,
    PROMPTS: ({ prompts }) => prompts,
    'QUALITY (90 %)': ({ quality }) => intervalText(quality),
  })
}

function intervalText(interval: Interval | null): string | null {
  if (interval === null) return null
  const { low, mean, high } = interval
  return `${formatQuality(mean)} (${formatQuality(low)} to ${formatQuality(high)})`
}

function judgeText(judge: NonNullable<TuningResult['judge']>): string {
  const { model, comparisons, ownFamily, unreadable, errorRate, isErrorRateMeasured } = judge
  const measured = isErrorRateMeasured ? 'measured' : 'assumed'
  return `${model} made ${comparisons} comparisons (${unreadable} unreadable, ${ownFamily} left out for its own family). Share of wrong grades, ${measured}: ${Math.round(100 * errorRate)} %.`
}
