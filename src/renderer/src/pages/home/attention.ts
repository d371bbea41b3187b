/** What needs the user: each point in one sentence, with the place of its solution. */
import type {
  ApiKey,
  Model,
  Provider,
  ProviderProblem,
  Router,
} from '../../../../shared/entities.ts'
import { dailyLimitOf } from '../../../../shared/entities.ts'
import { certificateProblem } from '../../../../shared/app/certificate-ends.ts'
import {
  formatClock,
  formatCount,
  formatDay,
  formatRelativeTime,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import { freeMainPort, type AppState } from '../../../../shared/app/app-state.ts'
import type { BrokenCache } from '../../../../shared/requests/broken-cache.ts'
import { culpritWords } from '../../../../shared/requests/cache-words.ts'
import type { Finding } from '../../../../shared/requests/finding.ts'
import type { UnexpectedCall } from '../../../../shared/requests/unexpected-call.ts'
import type { UsageFigures, UsageReport } from '../../../../shared/requests/usage.ts'
import { outageWords } from '../../shell/storage-words.ts'
import type { RangeName } from '../../usage/range.ts'
import { keyState } from '../connect/key-state.ts'
import type { AttentionAction, AttentionPoint } from './attention-point.ts'
import { findingPoints } from './finding-points.ts'
import { unexpectedPoints } from './unexpected-points.ts'
import { t } from '../../../../shared/strings/strings.ts'

export interface AttentionState {
  app: Pick<
    AppState,
    'endpoint' | 'isPaused' | 'secrets' | 'storage' | 'certificate' | 'mustTrustAgain'
  >
  providers: readonly Provider[]
  routers: readonly Router[]
  models: readonly Pick<Model, 'id' | 'inputUsdPerMtok'>[]
  keys: readonly ApiKey[]
  unexpectedCalls: readonly UnexpectedCall[]
  brokenCaches: readonly BrokenCache[]
  findings: readonly Finding[]
  /** Spending of this month in days of UTC, in which budgets and limits count. */
  spending: { ofKeys: UsageReport | null; ofRouters: UsageReport | null }
  /** Requests of each router today that count against its daily limit; null until they are loaded. */
  countedToday: ReadonlyMap<string, number> | null
  /** The figures that the page shows; null until they are loaded. */
  shown: { figures: Pick<UsageFigures, 'requests' | 'failed'>; range: RangeName } | null
  nowMs: number
}

/** The share of a limit from which it needs attention. */
const nearShare = 0.8
const dayMs = 86_400_000

/** The points, the worst first. */
export function attentionPoints(state: AttentionState): AttentionPoint[] {
  const points = [
    ...storagePoints(state),
    ...pausedPoints(state),
    ...endpointPoints(state),
    ...secretsPoints(state),
    ...certificatePoints(state),
    ...trustPoints(state),
    ...state.providers.flatMap(providerPoints),
    ...failurePoints(state),
    ...pricePoints(state),
    ...state.routers.flatMap((router) => routerPoints(router, state)),
    ...state.keys.flatMap((key) => keyPoints(key, state)),
    ...findingPoints(state.findings),
    ...unexpectedPoints(state),
    ...state.brokenCaches.map(cachePoint),
  ]
  return points.toSorted((a, b) => Number(a.tone === 'warn') - Number(b.tone === 'warn'))
}

function storagePoints({ app: { storage } }: AttentionState): AttentionPoint[] {
  const points: AttentionPoint[] = []
  if (storage.damage) {
    const text = t('The database is damaged: {problem}.', { problem: storage.damage.problem })
    const action = link(t('Restore a copy'), '/settings/data')
    points.push({ id: 'damage', tone: 'bad', text, action, hasBanner: true })
  }
  if (storage.outage) {
    const action = link(t('Open data settings'), '/settings/data')
    const text = outageWords(storage.outage)
    points.push({ id: 'outage', tone: 'bad', text, action, hasBanner: true })
  }
  return points
}

function pausedPoints({ app: { isPaused } }: AttentionState): AttentionPoint[] {
  if (!isPaused) return []
  const text = t('Serving is paused.')
  const action = link(t('Open settings'), '/settings/server')
  return [{ id: 'paused', tone: 'warn', text, action, hasBanner: true }]
}

function endpointPoints({ app: { endpoint } }: AttentionState): AttentionPoint[] {
  if (endpoint.status !== 'failed') return []
  const { message } = endpoint
  const freePort = freeMainPort(endpoint)
  const action: AttentionAction =
    freePort === null
      ? { kind: 'link', label: t('Open settings'), to: '/settings' }
      : { kind: 'listen', label: t('Use port {freePort}', { freePort }), port: freePort }
  return [{ id: 'endpoint', tone: 'bad', text: message, action, hasBanner: true }]
}

function trustPoints({ app }: AttentionState): AttentionPoint[] {
  if (!app.mustTrustAgain) return []
  const text = t('The certificate authority is new and must be trusted again.')
  const action = link(t('Open settings'), '/settings/server')
  return [{ id: 'trust', tone: 'warn', text, action }]
}

function secretsPoints({ app: { secrets } }: AttentionState): AttentionPoint[] {
  const { backend, state, message } = secrets
  if (state !== 'ready') {
    const action = { kind: 'retry-secrets' as const, label: t('Try again') }
    return [{ id: 'secrets', tone: 'bad', text: message, action }]
  }
  if (backend !== 'session') return []
  const action = link(t('Open providers'), '/models', { view: 'providers' })
  return [{ id: 'secrets', tone: 'warn', text: message, action }]
}

function certificatePoints({ app: { certificate }, nowMs }: AttentionState): AttentionPoint[] {
  const problem = certificateProblem(certificate, nowMs)
  if (problem === null) return []
  const day = formatDay(problem.atMs)
  const action = link(t('Open server settings'), '/settings/server')
  if (problem.kind === 'leaf') {
    const text = t(
      'The certificate ends on {day} and could not be renewed. Programs will refuse to connect from then on.',
      { day },
    )
    return [{ id: 'certificate', tone: 'bad', text, action }]
  }
  const text = t(
    'Modelport replaces its certificate authority on {day}. Programs must then trust the new one.',
    { day },
  )
  return [{ id: 'certificate', tone: 'warn', text, action }]
}

const problemTexts: Readonly<Record<ProviderProblem, (id: string) => string>> = {
  key_missing: (id) => t('{id} has no key.', { id }),
  key_rejected: (id) => t('{id} rejects its key.', { id }),
  out_of_credit: (id) => t('{id} has no credit left.', { id }),
  unreachable: (id) => t('{id} cannot be reached.', { id }),
  error: (id) => t('{id} is failing.', { id }),
}

function providerPoints({ id, needsKey, hasKey, health }: Provider): AttentionPoint[] {
  const problem =
    health.status === 'failing' ? health.problem : needsKey && !hasKey ? 'key_missing' : null
  if (problem === null) return []
  const text = problemTexts[problem](id)
  const label =
    problem === 'key_missing' || problem === 'key_rejected' ? t('Set key') : t('Open provider')
  const action = link(label, '/models', { view: 'providers' })
  return [{ id: `provider-${id}`, tone: 'bad', text, action }]
}

/** Failures of the shown range, also those whose cause is over. */
function failurePoints({ shown }: AttentionState): AttentionPoint[] {
  if (shown === null || shown.figures.failed === 0) return []
  const { figures, range } = shown
  const text = t('{failed} of {requests} requests failed {period}.', {
    failed: formatCount(figures.failed),
    requests: formatCount(figures.requests),
    period: rangeWords[range],
  })
  const search = { end: 'failed', range }
  const action = { kind: 'link' as const, label: t('Show failures'), to: '/activity', search }
  return [{ id: 'failures', tone: 'warn', text, action }]
}

const rangeWords: Readonly<Record<RangeName, string>> = {
  '1h': t('in the last hour'),
  '24h': t('in the last 24 hours'),
  '7d': t('in the last 7 days'),
  '30d': t('in the last 30 days'),
  all: t('since the first one'),
}

/** Models that routers have but cannot use, because their price is not known. */
function pricePoints({ routers, models }: AttentionState): AttentionPoint[] {
  const used = new Set(routers.flatMap((router) => router.models))
  const unpriced = models.filter(
    ({ id, inputUsdPerMtok }) => used.has(id) && inputUsdPerMtok === null,
  )
  const [first] = unpriced
  if (!first) return []
  const text = t(
    '{count, plural, one {{id} has no price, so its router cannot use it.} other {# models of your routers have no price and cannot be used.}}',
    { count: unpriced.length, id: first.id },
  )
  const router = routers.find((one) => one.models.includes(first.id))
  const action = link(t('Set price'), `/routers/${router?.id}`, { tab: 'models' })
  return [{ id: 'prices', tone: 'warn', text, action }]
}

function routerPoints(
  router: Router,
  { spending, countedToday, nowMs }: AttentionState,
): AttentionPoint[] {
  const { id, name } = router
  if (router.routing.isPaused) return [pausedRouterPoint(router)]
  const used = usedBy(id, spending.ofRouters, nowMs)
  const limit = dailyLimitOf(router)
  const action = link(t('Change limits'), `/routers/${id}`, { tab: 'limits' })
  const text = budgetText(name, router, used)
  const points = text === null ? [] : [{ id: `budget-${id}`, text, action }]
  const requests = countedToday?.get(id) ?? 0
  if (limit !== null && requests >= limit * nearShare) {
    points.push({
      id: `limit-${id}`,
      text: t('{name} has used {used} of {limit} requests today.', {
        name,
        used: formatCount(requests),
        limit: formatCount(limit),
      }),
      action,
    })
  }
  return points.map((point) => ({ ...point, tone: 'warn' }))
}

function pausedRouterPoint({ id, name }: Router): AttentionPoint {
  const text = t('{name} is paused: its requests are refused.', { name })
  return {
    id: `paused-${id}`,
    tone: 'warn',
    text,
    action: { kind: 'resume', label: t('Resume'), routerId: id },
  }
}

function keyPoints(key: ApiKey, { keys, spending, nowMs }: AttentionState): AttentionPoint[] {
  const isReplaced = keys.some(({ rotatedFromId }) => rotatedFromId === key.id)
  const { isUsable, isOld, tone } = keyState(key, { nowMs, isReplaced })
  // A replaced key that still works for some days needs nothing.
  if (!isUsable || isReplaced) return []
  const { name } = key
  const budget = budgetText(
    t('The key {name}', { name }),
    key,
    usedBy(key.id, spending.ofKeys, nowMs),
  )
  const when = formatRelativeTime(key.expiresAtMs, nowMs)
  const texts = [
    ...(budget === null ? [] : [budget]),
    ...(isOld ? [t('The key {name} is older than 90 days.', { name })] : []),
    ...(tone === 'warn' ? [t('The key {name} expires {when}.', { name, when })] : []),
  ]
  return texts.map((text) => ({
    id: `key-${key.id}-${text}`,
    tone: 'warn',
    text,
    action: link(text === budget ? t('Open keys') : t('Rotate'), '/connect', { show: 'keys' }),
  }))
}

interface Used {
  usdToday: number
  usdThisMonth: number
}

function usedBy(id: string, report: UsageReport | null, nowMs: number): Used {
  const todayMs = nowMs - (nowMs % dayMs)
  const today: UsageFigures | undefined = report?.points.find(({ startMs }) => startMs === todayMs)
    ?.groups[id]
  const month = report?.groups.find(({ name }) => name === id)?.figures
  return {
    usdToday: today?.costUsd ?? 0,
    usdThisMonth: month?.costUsd ?? 0,
  }
}

type Budgets = Pick<Router, 'budgetUsdPerDay' | 'budgetUsdPerMonth'>

/** @returns null while no budget is nearly used */
function budgetText(
  owner: string,
  { budgetUsdPerDay, budgetUsdPerMonth }: Budgets,
  { usdToday, usdThisMonth }: Used,
): string | null {
  const spent = (usd: number, budgetUsd: number, period: 'day' | 'month') =>
    t('{owner} has spent {usd} of {budgetUsd} {period, select, day {today} other {this month}}.', {
      owner,
      usd: formatUsd(usd),
      budgetUsd: formatUsd(budgetUsd),
      period,
    })
  if (budgetUsdPerDay !== null && usdToday >= budgetUsdPerDay * nearShare) {
    return spent(usdToday, budgetUsdPerDay, 'day')
  }
  if (budgetUsdPerMonth !== null && usdThisMonth >= budgetUsdPerMonth * nearShare) {
    return spent(usdThisMonth, budgetUsdPerMonth, 'month')
  }
  return null
}

/** The cache of a coding agent's session broke in the last day. */
function cachePoint(broken: BrokenCache): AttentionPoint {
  const { session, client, sinceMs, lostNanoUsd } = broken
  const text = t(
    'A session of {client} reads its prompt cache no more: {usd} lost since {when}. {who}',
    {
      client,
      usd: formatUsd(lostNanoUsd / 1e9),
      when: formatClock(sinceMs),
      who: culpritWords(broken) ?? '',
    },
  )
  const action = link(t('Show session'), '/activity', { view: 'sessions', session })
  return { id: `cache-${session}`, tone: 'warn', text, action }
}

function link(label: string, to: string, search?: Record<string, string>): AttentionAction {
  return { kind: 'link', label, to, ...(search && { search }) }
}
