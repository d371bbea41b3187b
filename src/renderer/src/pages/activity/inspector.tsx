import { ArrowLeft, X } from 'lucide-react'
import { useEffect } from 'react'
import { fallbackText } from '../../../../shared/routers/fallback.ts'
import { formatDateTime, formatDuration, formatUsd } from '../../../../shared/strings/format.ts'
import type { ExplainedDetail, ExplainedRequest } from '../../../../shared/requests/detail.ts'
import { Badge } from '../../components/badge.tsx'
import { Button, IconButton } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useFocusOverList } from '../../components/use-pane-focus.ts'
import { Facts, Reason, Signals } from '../../decision/decision-parts.tsx'
import { formatAboutBand } from '../../decision/estimates.ts'
import { loadExplained, useExplained, type Explained } from '../../stores/explained.ts'
import { decisionWords, outcomeOf, sourceWords } from '../../usage/request-words.ts'
import { CostTable } from './cost-table.tsx'
import { InspectorActions } from './inspector-actions.tsx'
import { RequestTexts } from './request-texts.tsx'
import { RequestTimeline } from './request-timeline.tsx'
import { Section } from './section.tsx'
import { ToolCalls } from './tool-calls.tsx'
import { timelineOf } from './timeline.ts'
import { useEscape } from './use-escape.ts'
import { useRowNames } from './use-row-names.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface InspectorProps {
  requestId: string
  onClose: () => void
}

/** One request in full: beside the list in a wide window, in its place in a narrow one. */
export function Inspector({ requestId, onClose }: InspectorProps) {
  const explained = useExplained((state) => state[requestId])
  useEscape(null, onClose)
  const pane = useFocusOverList()
  useEffect(() => {
    void loadExplained(requestId)
  }, [requestId])
  return (
    <aside
      ref={pane}
      tabIndex={-1}
      aria-label={t('Request')}
      className="absolute inset-0 z-2 flex flex-col overflow-y-auto bg-canvas focus-visible:outline-offset-[-2px] min-[70rem]:static min-[70rem]:w-[30rem] min-[70rem]:shrink-0 min-[70rem]:border-l min-[70rem]:border-line min-[70rem]:bg-surface"
    >
      <div className="sticky top-0 z-1 flex items-center justify-between gap-2 border-b border-line bg-inherit px-5 py-2.5">
        <Button look="quiet" size="small" className="-ml-2 min-[70rem]:hidden" onClick={onClose}>
          <ArrowLeft size={14} aria-hidden /> {t('All requests')}
        </Button>
        {/* In a narrow window, the list and its heading are hidden. */}
        <h1 className="sr-only min-[70rem]:hidden">{t('Request')}</h1>
        <h2 className="text-sm font-semibold max-[70rem]:sr-only">{t('Request')}</h2>
        <IconButton label={t('Close request')} className="max-[70rem]:hidden" onClick={onClose}>
          <X size={15} aria-hidden />
        </IconButton>
      </div>
      <div className="flex w-full max-w-3xl flex-col gap-5 px-5 py-4">
        <Content requestId={requestId} explained={explained ?? { kind: 'loading' }} />
      </div>
    </aside>
  )
}

function Content({ requestId, explained }: { requestId: string; explained: Explained }) {
  switch (explained.kind) {
    case 'loading':
      return <InspectorSkeleton />
    case 'failed':
      return <ErrorNote error={explained.error} onRetry={() => void loadExplained(requestId)} />
    case 'gone':
      return (
        <p className="text-sm text-muted">
          {t(
            'The ledger no longer has this request. Settings → Retention says how long it keeps them.',
          )}
        </p>
      )
    case 'known':
      return <Details request={explained.request} />
  }
}

function Details({ request }: { request: ExplainedRequest }) {
  const { record, detail } = request
  const outcome = outcomeOf(record)
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <div className="flex flex-wrap items-center gap-2">
          <p className="text-lg font-semibold wrap-anywhere">{record.modelUsed ?? t('No model')}</p>
          <Badge tone={outcome.tone}>{outcome.text}</Badge>
        </div>
        <p className="text-xs text-muted">{formatDateTime(record.startedAtMs)}</p>
        {outcome.reason !== null && <p className="text-sm text-bad">{outcome.reason}</p>}
        {record.fallbackFrom !== null && record.fallbackReason !== null && (
          <p className="text-sm text-warn first-letter:uppercase">
            {fallbackText({ from: record.fallbackFrom, reason: record.fallbackReason })}
          </p>
        )}
      </div>
      <InspectorActions record={record} />
      <Figures request={request} />
      <Section title={t('Timeline')}>
        <RequestTimeline timeline={timelineOf(record, detail.attempts)} />
      </Section>
      <ToolCalls calls={request.toolCalls} />
      <DetailSections request={record} detail={detail} />
      <Origin request={request} />
      <RequestTexts requestId={record.id} routerId={record.routerId} />
    </>
  )
}

function Figures({ request: { record, detail } }: { request: ExplainedRequest }) {
  const { carbonGrams: mid } = record
  const { lowGrams = mid, highGrams = mid } = detail.carbon ?? {}
  const carbon = formatAboutBand('grams', { low: lowGrams, mid, high: highGrams })
  return (
    <Facts
      facts={[
        { name: t('Cost'), text: formatUsd(record.costNanoUsd / 1e9) },
        { name: t('Total time'), text: formatDuration(record.latencyMs) },
        { name: t('First token'), text: formatDuration(record.firstTokenMs) },
        { name: t('CO₂e, estimated'), text: carbon },
      ]}
    />
  )
}

function DetailSections({
  request,
  detail,
}: {
  request: ExplainedRequest['record']
  detail: ExplainedDetail
}) {
  const { why, flip, carbon, signals } = detail
  return (
    <>
      <Section title={t('Decision')}>
        <div className="text-sm">
          <Reason why={why} flip={flip} />
        </div>
      </Section>
      <Section title={t('Tokens and cost')}>
        <CostTable detail={detail} costUsd={request.costNanoUsd / 1e9} />
      </Section>
      {carbon && (
        <p className="-mt-2 text-xs text-muted">
          {carbon.method === 'modelled'
            ? t('CO₂e is estimated from the model’s size and the grid of its region.')
            : t(
                'CO₂e is estimated from a wide bracket, because the model’s size is not published.',
              )}
        </p>
      )}
      <Signals signals={signals} />
    </>
  )
}

/** Shows who sent the request, to which router, under which rule. */
function Origin({ request: { record, detail } }: { request: ExplainedRequest }) {
  const names = useRowNames()
  const facts = [
    [t('Router'), names.router(record.routerId)],
    [t('Decision'), decisionWords(record.routerDecision)],
    [t('Key'), names.key(record.apiKeyId)],
    [t('Source'), sourceWords[record.source]],
    [t('Client'), detail.client],
    [t('Tag'), record.tag],
    [t('Form'), record.isStreamed ? t('Stream') : t('Whole answer')],
    [t('Agent run'), record.executionId],
    [t('Step'), record.stepId],
    [t('Cached answer of'), record.cachedFrom],
    [t('Request id'), record.id],
  ] as const
  return (
    <Section title={t('Details')}>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-5 gap-y-1 text-xs">
        {facts.map(
          ([name, text]) =>
            text !== null && (
              <div key={name} className="contents">
                <dt className="text-muted">{name}</dt>
                <dd className="min-w-0 wrap-anywhere">{text}</dd>
              </div>
            ),
        )}
      </dl>
    </Section>
  )
}

function InspectorSkeleton() {
  return (
    <div aria-busy className="flex flex-col gap-4">
      <p className="sr-only">{t('Loading the request…')}</p>
      {[16, 10, 20, 28, 24].map((height, index) => (
        <span key={index} className="block rounded-md bg-line/70" style={{ height: height * 2 }} />
      ))}
    </div>
  )
}
