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

/** Why a request went where it went: in a sentence, then in figures. */
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
      return <p className="text-sm text-muted">Reading the ledger…</p>
    case 'failed':
      return (
        <ErrorNote error={explained.error}>
          <Button size="small" onClick={() => void loadExplained(requestId)}>
            Try again
          </Button>
        </ErrorNote>
      )
    case 'gone':
      return <p className="text-sm text-muted">The ledger does not have this request.</p>
    case 'known':
      return <Known request={explained.request} />
  }
}

function Known({ request: { record, detail } }: { request: ExplainedRequest }) {
  if (!detail) {
    return (
      <p className="text-sm text-muted">
        This request is from before reasons were kept: {record.modelUsed ?? 'no model'} answered.
      </p>
    )
  }
  const { decision, attempts } = detail
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <p className="font-medium wrap-anywhere">{decision.why}</p>
        {decision.flip !== null && (
          <p className="text-sm wrap-anywhere text-muted first-letter:uppercase">
            {decision.flip}.
          </p>
        )}
      </div>
      <Outcome record={record} detail={detail} />
      <Tries tiers={decision.cascade ?? []} />
      {decision.ranked.length > 0 && (
        <Part title="Who could answer">
          <CandidateTable ranked={decision.ranked} modelUsed={record.modelUsed} />
        </Part>
      )}
      <Excluded excluded={decision.excluded} />
      {attempts.length > 0 && (
        <Part title="Who was asked">
          <AttemptTable attempts={attempts} />
        </Part>
      )}
      <Adjusted adjusted={decision.adjusted} />
    </>
  )
}

/** What it came to in the end, beside what was expected. */
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
    { name: 'Answered by', text: record.modelUsed ?? 'nobody' },
    { name: 'Cost', text: formatUsd(record.costNanoUsd / 1e9) },
    { name: 'Time', text: formatDuration(record.latencyMs) },
    { name: 'CO2e, estimated', text: formatAboutBand('grams', carbon) },
    { name: 'Decided by', text: record.routerDecision.replaceAll('_', ' ') },
    { name: 'Asked', text: formatDateTime(record.startedAtMs) },
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

function Excluded({ excluded }: Pick<ExplainedDetail['decision'], 'excluded'>) {
  if (excluded.length === 0) return null
  return (
    <Part title="Who was left out">
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

/** Who was asked before the strategy had its say. */
function Tries({ tiers }: { tiers: readonly TierRecord[] }) {
  if (tiers.length === 0) return null
  return (
    <Part title="Cheap models first">
      <ol className="flex list-inside list-decimal flex-col gap-1 text-sm">
        {tiers.map(({ models, outcome, reason }, index) => (
          // Tries have no name but their place.
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

/** Parameters that did not go out as they were written. */
function Adjusted({ adjusted }: Pick<ExplainedDetail['decision'], 'adjusted'>) {
  if (adjusted.length === 0) return null
  return (
    <Part title="What was changed for the model">
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
