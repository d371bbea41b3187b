import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { Button, buttonClass } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Card } from '../../components/page.tsx'
import { useAction } from '../../components/use-action.ts'
import { useDailyUse } from '../../stores/daily-use.ts'
import { useNow } from '../../components/use-now.ts'
import { listenOn, retrySecrets, useApp } from '../../stores/app.ts'
import { useKeys } from '../../stores/keys.ts'
import { useModels } from '../../stores/models.ts'
import { useProviders } from '../../stores/providers.ts'
import { useReport, type ReportQuery } from '../../stores/reports.ts'
import { useRouters } from '../../stores/routers.ts'
import { dismissFinding, useFindings } from '../../stores/findings.ts'
import { useBrokenCaches } from '../../stores/broken-caches.ts'
import { dismissUnexpectedCall, useUnexpectedCalls } from '../../stores/unexpected-calls.ts'
import type { AttentionAction, AttentionPoint } from './attention-point.ts'
import { attentionPoints, type AttentionState } from './attention.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface AttentionProps {
  shown: AttentionState['shown']
  /** Whether the page tells already that its figures could not be read. */
  hasFailed: boolean
}

/** What needs the user, each with its solution; one calm line when nothing does. */
export function Attention({ shown, hasFailed }: AttentionProps) {
  const { points, isComplete, error, reload } = useAttention(shown)
  return (
    <>
      {error && !hasFailed && <ErrorNote error={error} onRetry={reload} />}
      {/* Without the reports, only problems that do not depend on them are known. */}
      {points && (isComplete || error) && <Points points={points} isComplete={isComplete} />}
    </>
  )
}

interface PointsProps {
  points: readonly AttentionPoint[]
  /** Whether budgets and limits were checked too. */
  isComplete: boolean
}

function Points({ points, isComplete }: PointsProps) {
  if (points.length === 0 && !isComplete) return null
  if (points.length === 0) {
    return (
      <p className="flex items-center gap-2 text-sm text-muted">
        <CircleCheck size={15} aria-hidden className="shrink-0 text-ok" />
        {t('All good: no failed requests, and no problems with providers, keys or limits.')}
      </p>
    )
  }
  const told = points.filter(({ hasBanner }) => !hasBanner)
  if (told.length === 0) return null
  return (
    <Card className="flex flex-col gap-1">
      <h2 className="font-semibold">{t('Needs attention')}</h2>
      <ul className="divide-y divide-line">
        {told.map((point) => (
          <Point key={point.id} point={point} />
        ))}
      </ul>
    </Card>
  )
}

/** The points are null until everything is loaded. */
function useAttention(shown: AttentionState['shown']) {
  const app = useApp(({ state }) => state)
  const providers = useProviders((state) => state.items)
  const routers = useRouters((state) => state.items)
  const keys = useKeys((state) => state.items)
  const models = useModels((state) => state.items)
  const unexpectedCalls = useUnexpectedCalls((state) => state.items) ?? []
  const brokenCaches = useBrokenCaches((state) => state.items) ?? []
  const findings = useFindings((state) => state.items) ?? []
  const nowMs = useNow()
  const byKey = useReport({ ...thisMonth(nowMs), group: 'key' })
  const byRouter = useReport({ ...thisMonth(nowMs), group: 'router' })
  const spending = { ofKeys: byKey.report, ofRouters: byRouter.report }
  const countedToday = useDailyUse(byRouter.report)
  const isLoaded = app && providers && routers && keys && models
  const known = { unexpectedCalls, brokenCaches, findings, spending, countedToday, shown, nowMs }
  return {
    points: isLoaded ? attentionPoints({ app, providers, routers, models, keys, ...known }) : null,
    isComplete: [spending.ofKeys, spending.ofRouters, countedToday, shown].every(
      (loaded) => loaded !== null,
    ),
    error: byKey.error ?? byRouter.error,
    reload: () => {
      byKey.reload()
      byRouter.reload()
    },
  }
}

const dayMs = 86_400_000

/** This month in days of UTC, because budgets and limits begin at its midnight. */
function thisMonth(nowMs: number): Omit<ReportQuery, 'group'> {
  const now = new Date(nowMs)
  const fromMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
  return { fromMs, toMs: nowMs - (nowMs % dayMs) + dayMs, bucketMs: dayMs }
}

const looks = {
  bad: { icon: CircleAlert, color: 'text-bad', text: t('Problem') },
  warn: { icon: TriangleAlert, color: 'text-warn', text: t('Warning') },
} as const

function Point({ point: { tone, text, action, others = [] } }: { point: AttentionPoint }) {
  const { icon: Icon, color, text: meaning } = looks[tone]
  return (
    <li className="flex flex-wrap items-center gap-3 py-2 text-sm">
      <Icon size={16} aria-hidden className={`shrink-0 ${color}`} />
      <span className="sr-only">{meaning}:</span>
      <span className="min-w-0 flex-1 basis-72 wrap-anywhere">{text}</span>
      {[...others, action].map((one) => (
        <Solution key={one.label} action={one} />
      ))}
    </li>
  )
}

function Solution({ action }: { action: AttentionAction }) {
  const { run, isRunning } = useAction(async () => {
    if (action.kind === 'listen') await listenOn(action.port)
    if (action.kind === 'retry-secrets') await retrySecrets()
    if (action.kind === 'resume') {
      // Home is part of the first script, and a router's form is not.
      const { setRouterPaused } = await import('../routers/router-drafts.ts')
      await setRouterPaused(action.routerId, false)
    }
    if (action.kind === 'dismiss') await dismissFinding(action.finding)
    if (action.kind === 'expected') await dismissUnexpectedCall(action.call)
  })
  if (action.kind === 'link') {
    return (
      <Link to={action.to} search={action.search ?? {}} className={buttonClass('plain', 'small')}>
        {action.label}
      </Link>
    )
  }
  return (
    <Button size="small" disabled={isRunning} onClick={() => run()}>
      {action.label}
    </Button>
  )
}
