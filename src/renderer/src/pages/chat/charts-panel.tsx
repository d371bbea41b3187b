import { Skeleton } from '../../components/page.tsx'
import { useMemo } from 'react'
import type { ConversationMessage } from '../../../../shared/chat/conversations.ts'
import type { Router } from '../../../../shared/entities.ts'
import { CarbonChart } from '../../charts/carbon-chart.tsx'
import { DecisionsChart } from '../../charts/decisions-chart.tsx'
import { LatencyChart } from '../../charts/latency-chart.tsx'
import { SpendChart } from '../../charts/spend-chart.tsx'
import { Button } from '../../components/button.tsx'
import { Drawer } from '../../components/drawer.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { useNow } from '../../components/use-now.ts'
import { useChat } from '../../stores/chat.ts'
import { useModels } from '../../stores/models.ts'
import { useRouterChanges } from '../../stores/router-changes.ts'
import { useRange } from '../../usage/use-range.ts'
import { useRangedReport } from '../../usage/use-ranged-report.ts'
import { useInstructions } from '../../stores/instructions.ts'
import { conversationFigures } from './conversation-figures.ts'
import { useConversationSaving } from './use-conversation-saving.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface ChartsPanelProps {
  conversation: string
  router: Router
  /** True beside the thread, false over it. */
  isDocked: boolean
  onClose: () => void
}

/** The figures of the conversation, then the charts of its router. */
export function ChartsPanel({ conversation, router, isDocked, onClose }: ChartsPanelProps) {
  const title = t('{name} over time', { name: router.name })
  const charts = (
    <>
      <ConversationFigures {...{ conversation, router }} />
      <PanelCharts router={router} />
    </>
  )
  if (!isDocked) {
    return (
      <Drawer title={title} side="right" onClose={onClose}>
        {charts}
      </Drawer>
    )
  }
  return (
    <aside
      aria-label={t('Charts of {name}', { name: router.name })}
      className="w-72 shrink-0 overflow-y-auto border-l border-line bg-surface min-[80rem]:w-80"
    >
      <h2 className="flex h-14 items-center truncate border-b border-line px-4 text-sm font-semibold">
        {title}
      </h2>
      {charts}
    </aside>
  )
}

const noMessages: readonly ConversationMessage[] = []

function ConversationFigures({
  conversation,
  router,
}: Pick<ChartsPanelProps, 'conversation' | 'router'>) {
  const messages = useChat(({ threads }) => threads[conversation]?.messages ?? noMessages)
  const { limitUsd } = useInstructions(conversation).parameters
  const saving = useConversationSaving(conversation, messages, router)
  const figures = conversationFigures(messages, { limitUsd, saving })
  if (figures.length === 0) return null
  return (
    <section aria-label={t('This conversation')} className="border-b border-line px-4 py-3 text-sm">
      <h3 className="mb-1.5 font-semibold">{t('This conversation')}</h3>
      <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 tabular-nums">
        {figures.map(({ name, text }) => (
          <div key={name} className="contents">
            <dt className="wrap-anywhere text-muted">{name}</dt>
            <dd className="text-right">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function PanelCharts({ router }: { router: Router }) {
  const [range] = useRange()
  const filter = useMemo(() => ({ routerId: router.id }), [router.id])
  const { shown, error, reload } = useRangedReport({ ...filter, group: 'model' }, range)
  const known = useModels((state) => state.items)
  const models = useMemo(
    () => known?.filter(({ id }) => router.models.includes(id)) ?? [],
    [known, router.models],
  )
  const nowMs = useNow()
  const changes = useRouterChanges(router)
  const props = { filter, size: 'small' } as const
  return (
    <>
      <div className="border-b border-line px-4 py-2">
        <RangePicker />
      </div>
      {error && (
        <div className="p-4">
          <ErrorNote error={error}>
            <Button size="small" onClick={reload}>
              {t('Try again')}
            </Button>
          </ErrorNote>
        </div>
      )}
      {shown && (
        <>
          <DecisionsChart {...props} changes={changes} {...shown} />
          <LatencyChart {...props} {...shown} />
          <SpendChart {...props} {...shown} {...{ models, nowMs }} budget={router} />
          <CarbonChart {...props} {...shown} />
        </>
      )}
      {!shown && !error && <Skeleton>{t('Loading figures…')}</Skeleton>}
    </>
  )
}
