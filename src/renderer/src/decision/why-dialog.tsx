import { useEffect, type ReactNode } from 'react'
import type {
  ExplainedDetail,
  ExplainedRequest,
  TierRecord,
} from '../../../shared/request-detail.ts'
import { formatDateTime, formatDuration, formatUsd } from '../../../shared/format.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { ErrorNote } from '../components/error-note.tsx'
import { loadExplained, useExplained, type Explained } from '../stores/explained.ts'
import { AttemptTable, CandidateTable } from './decision-tables.tsx'
import { formatAboutBand } from './estimates.ts'

/** Explains a routing decision: in a sentence, then in figures. */
export function WhyDialog({ requestId, onClose }: { requestId: string; onClose: () => void }) {
  const explained = useExplained((state) => state[requestId])
  useEffect(() => {
    void loadExplained(requestId)
  }, [requestId])
  return (
    <Dialog title="Why this model?" isWide onClose={onClose}>
      <Explanation requestId={requestId} explained={explained ?? { kind: 'loading' }} />
    </Dialog>
  )
}

function Explanation({ requestId, explained }: { requestId: string; explained: Explained }) {
  switch (explained.kind) {
    case 'loading':
      return <p className="text-sm text-muted">Loading…</p>
    case 'failed':
      return (
        <ErrorNote error={explained.error}>
          <Button size="small" onClick={() => void loadExplained(requestId)}>
            Try again
          </Button>
        </ErrorNote>
      )
    case 'gone':
      return <p className="text-sm text-muted">This request is no longer in the ledger.</p>
    case 'known':
      return <RequestExplanation request={explained.request} />
  }
}

function RequestExplanation({ request: { record, detail } }: { request: ExplainedRequest }) {
  if (!detail) {
    return (
      <p className="text-sm text-muted">
        {record.modelUsed === null ? 'No model answered.' : `${record.modelUsed} answered.`} An
        older version recorded this request without the reason.
      </p>
    )
  }
  const { why, flip, cascade = [], ranked, excluded, attempts, adjusted } = detail
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <p className="font-medium wrap-anywhere">{why}</p>
        {flip !== null && (
          <p className="text-sm wrap-anywhere text-muted first-letter:uppercase">{flip}.</p>
        )}
      </div>
      <Outcome record={record} detail={detail} />
      <CascadeAttempts tiers={cascade} />
      {ranked.length > 0 && (
        <Part title="Candidates">
          <CandidateTable ranked={ranked} modelUsed={record.modelUsed} />
        </Part>
      )}
      <Excluded excluded={excluded} />
      {attempts.length > 0 && (
        <Part title="Attempts">
          <AttemptTable attempts={attempts} />
        </Part>
      )}
      <Adjusted adjusted={adjusted} />
    </>
  )
}

/** The actual result, beside the estimates. */
function Outcome({
  record,
  detail,
}: {
  record: ExplainedRequest['record']
  detail: ExplainedDetail
}) {
  const { lowGrams, highGrams } = detail.carbon ?? {}
  const mid = record.carbonGrams
  const carbon = { low: lowGrams ?? mid, mid, high: highGrams ?? mid }
  const facts = [
    { name: 'Answered by', text: record.modelUsed ?? 'No model' },
    { name: 'Cost', text: formatUsd(record.costNanoUsd / 1e9) },
    { name: 'Latency', text: formatDuration(record.latencyMs) },
    { name: 'CO₂e, estimated', text: formatAboutBand('grams', carbon) },
    { name: 'Decision', text: record.routerDecision.replaceAll('_', ' ') },
    { name: 'Sent', text: formatDateTime(record.startedAtMs) },
  ]
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-2 rounded-lg bg-sunken px-3 py-2 text-sm">
      {facts.map(({ name, text }) => (
        <div key={name} className="flex flex-col">
          <dt className="text-xs text-muted">{name}</dt>
          <dd className="tabular-nums">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function Excluded({ excluded }: Pick<ExplainedDetail, 'excluded'>) {
  if (excluded.length === 0) return null
  return (
    <Part title="Excluded models">
      <ul className="flex flex-col gap-1 text-sm">
        {excluded.map(({ model, reason }) => (
          <li key={model} className="wrap-anywhere">
            <span className="font-medium">{model}</span>{' '}
            <span className="text-muted">{reason}</span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** The cascade: models that were asked before the strategy chose. */
function CascadeAttempts({ tiers }: { tiers: readonly TierRecord[] }) {
  if (tiers.length === 0) return null
  return (
    <Part title="Cheaper first attempts">
      <ol className="flex list-inside list-decimal flex-col gap-1 text-sm">
        {tiers.map(({ models, outcome, reason }, index) => (
          // A tier has no id, only a position.
          <li key={index} className="wrap-anywhere">
            <span className="font-medium">{models.join(' and ')}</span>{' '}
            {outcome.replaceAll('_', ' ')}
            {reason !== null && <span className="text-muted">: {reason}</span>}
          </li>
        ))}
      </ol>
    </Part>
  )
}

/** Parameters that were changed before they were sent. */
function Adjusted({ adjusted }: Pick<ExplainedDetail, 'adjusted'>) {
  if (adjusted.length === 0) return null
  return (
    <Part title="Adjusted parameters">
      <ul className="flex flex-col gap-1 text-sm">
        {adjusted.map(({ parameter, change, reason }) => (
          <li key={parameter} className="wrap-anywhere">
            <code className="font-mono text-xs">{parameter}</code> {change.replaceAll('_', ' ')}{' '}
            <span className="text-muted">({reason})</span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-1.5">
      <h3 className="text-sm font-semibold">{title}</h3>
      {children}
    </section>
  )
}
