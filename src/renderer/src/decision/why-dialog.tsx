import { Skeleton } from '../components/page.tsx'
import { useEffect } from 'react'
import type { ExplainedDetail, ExplainedRequest } from '../../../shared/requests/detail.ts'
import { formatDateTime, formatDuration, formatUsd } from '../../../shared/strings/format.ts'
import { difficultyLevel, type DifficultyLevel } from '../../../shared/models/quality-scale.ts'
import { Dialog } from '../components/dialog.tsx'
import { ErrorNote } from '../components/error-note.tsx'
import { loadExplained, useExplained, type Explained } from '../stores/explained.ts'
import {
  Adjusted,
  CascadeAttempts,
  Excluded,
  Facts,
  Part,
  Reason,
  Signals,
} from './decision-parts.tsx'
import { AttemptTable, CandidateTable } from './decision-tables.tsx'
import { formatAboutBand } from './estimates.ts'
import { joinWords, nameWith } from '../../../shared/strings/join.ts'
import { t } from '../../../shared/strings/strings.ts'

/** Explains a routing decision: in a sentence, then in figures. */
export function WhyDialog({ requestId, onClose }: { requestId: string; onClose: () => void }) {
  const explained = useExplained((state) => state[requestId])
  useEffect(() => {
    void loadExplained(requestId)
  }, [requestId])
  return (
    <Dialog title={t('Why this model?')} isWide onClose={onClose}>
      <Explanation requestId={requestId} explained={explained ?? { kind: 'loading' }} />
    </Dialog>
  )
}

function Explanation({ requestId, explained }: { requestId: string; explained: Explained }) {
  switch (explained.kind) {
    case 'loading':
      return <Skeleton>{t('Loading…')}</Skeleton>
    case 'failed':
      return <ErrorNote error={explained.error} onRetry={() => void loadExplained(requestId)} />
    case 'gone':
      return <p className="text-sm text-muted">{t('This request is no longer in the ledger.')}</p>
    case 'known':
      return <RequestExplanation request={explained.request} />
  }
}

function RequestExplanation({ request: { record, detail } }: { request: ExplainedRequest }) {
  const { why, flip, cascade = [], ranked, excluded, attempts, adjusted, signals } = detail
  return (
    <>
      <Reason why={why} flip={flip} />
      <Outcome record={record} detail={detail} />
      <CascadeAttempts tiers={cascade} />
      {ranked.length > 0 && (
        <Part title={t('Candidates')}>
          <CandidateTable ranked={ranked} modelUsed={record.modelUsed} />
        </Part>
      )}
      <Excluded excluded={excluded} />
      {attempts.length > 0 && (
        <Part title={t('Attempts')}>
          <AttemptTable attempts={attempts} />
        </Part>
      )}
      <Adjusted adjusted={adjusted} />
      <Signals signals={signals} />
    </>
  )
}

const levels: Record<DifficultyLevel, string> = {
  easy: t('Looks easy'),
  usual: t('Average difficulty'),
  hard: t('Looks hard'),
}

function difficultyInWords(reading: NonNullable<ExplainedDetail['reading']>): string {
  const level = levels[difficultyLevel(reading.difficulty)]
  return nameWith(level, joinWords(reading.difficultyReasons))
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
    { name: t('Answered by'), text: record.modelUsed ?? t('No model') },
    { name: t('Cost'), text: formatUsd(record.costNanoUsd / 1e9) },
    { name: t('Latency'), text: formatDuration(record.latencyMs) },
    { name: t('CO₂e, estimated'), text: formatAboutBand('grams', carbon) },
    { name: t('Decision'), text: record.routerDecision.replaceAll('_', ' ') },
    { name: t('Sent'), text: formatDateTime(record.startedAtMs) },
    ...(detail.reading ? [{ name: t('Prompt'), text: difficultyInWords(detail.reading) }] : []),
  ]
  return <Facts facts={facts} />
}
