import { FileSpreadsheet } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Reconciliation } from '../../../../shared/requests/reconciliation.ts'
import { formatCount } from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/error-note.tsx'
import { Select } from '../../components/select.tsx'
import { useProviders } from '../../stores/providers.ts'
import { chooseOptions, openBill, useReconcile } from '../../stores/reconcile.ts'
import { ActivityHead } from './activity-head.tsx'
import { PriceFindings } from './price-findings.tsx'
import { BillProblems, ReconcileTable, ReconcileTotals } from './reconcile-table.tsx'

/** A vendor's bill beside the ledger. */
export function ReconcileView() {
  const { result, error, isRunning } = useReconcile()
  return (
    <main className="h-full overflow-y-auto [scrollbar-gutter:stable]" tabIndex={-1}>
      <div className="flex flex-col gap-4 px-5 py-5 min-[60rem]:px-8 min-[60rem]:py-7">
        <ActivityHead view="reconcile" applied={[]} />
        <p className="max-w-prose text-sm text-muted">
          {t(
            'Compare the usage and cost exports of OpenAI, Anthropic, OpenRouter or Google, or a CSV file, with the requests of Modelport. Files are read on this computer and are not kept.',
          )}
        </p>
        <BillChoice />
        {error && <ErrorNote error={error} />}
        <p role="status" className="sr-only">
          {isRunning ? t('Comparing…') : result ? t('Comparison finished') : ''}
        </p>
        {result && <Result result={result} />}
      </div>
    </main>
  )
}

function BillChoice() {
  const input = useRef<HTMLInputElement>(null)
  const { options, files, isRunning } = useReconcile()
  useDroppedFiles()
  const providers = useProviders(({ items }) => items) ?? []
  return (
    <section
      aria-label={t('Bill')}
      className="flex flex-wrap items-end gap-x-4 gap-y-3 rounded-xl border border-dashed border-line bg-surface px-4 py-4"
    >
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept=".csv,.tsv,.txt,.json,.jsonl"
        aria-label={t('Files of the bill')}
        onChange={({ target }) => {
          void openBill([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <Button look="primary" disabled={isRunning} onClick={() => input.current?.click()}>
        <FileSpreadsheet size={14} aria-hidden />
        {isRunning ? t('Comparing…') : t('Choose files…')}
      </Button>
      <div className="w-52">
        <Select
          label={t('Time zone of the bill')}
          choices={timeZones.map((value) => ({ value, label: value }))}
          value={options.timeZone ?? 'UTC'}
          onChange={(timeZone) => void chooseOptions({ timeZone })}
        />
      </div>
      <div className="w-52">
        <Select
          label={t('Provider')}
          choices={[
            { value: allOfVendor, label: t('All of the vendor') },
            ...providers.map(({ id }) => ({ value: id, label: id })),
          ]}
          value={options.providerId ?? allOfVendor}
          onChange={(id) => void chooseOptions({ providerId: id === allOfVendor ? undefined : id })}
        />
      </div>
      <p className="min-w-0 basis-full text-sm text-muted">
        {files.length === 0
          ? t('You can also drop files anywhere on this page, usage and costs together.')
          : files.map(({ name }) => name).join(', ')}
      </p>
    </section>
  )
}

/** No provider has this id: it has a colon. */
const allOfVendor = ':all'
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone
/** Vendors use UTC, and Google's invoices Pacific time. */
const timeZones = [
  ...new Set([
    'UTC',
    ownZone,
    'America/Los_Angeles',
    'America/New_York',
    'Europe/London',
    'Europe/Berlin',
    'Asia/Kolkata',
    'Asia/Shanghai',
    'Asia/Tokyo',
  ]),
]

function useDroppedFiles(): void {
  useEffect(() => {
    const onDrop = (event: DragEvent) => {
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      void openBill(files)
    }
    const onDragOver = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    addEventListener('dragover', onDragOver)
    addEventListener('drop', onDrop)
    return () => {
      removeEventListener('dragover', onDragOver)
      removeEventListener('drop', onDrop)
    }
  }, [])
}

function Result({ result }: { result: Reconciliation }) {
  const { offsetMinutes, timeZone, duplicates } = result
  return (
    <>
      <ReconcileTotals result={result} />
      {offsetMinutes !== null && (
        <Note kind="warn">
          {t(
            'The bill fits days that begin {hours} hours from midnight in {timeZone}. Choose its time zone.',
            { hours: formatCount(Math.abs(offsetMinutes) / 60), timeZone },
          )}
        </Note>
      )}
      {duplicates > 0 && (
        <p className="text-sm text-muted">
          {t('{count, plural, one {# row} other {# rows}} in two files counted once.', {
            count: duplicates,
          })}
        </p>
      )}
      <PriceFindings prices={result.prices} />
      <ReconcileTable result={result} />
      <BillProblems result={result} />
    </>
  )
}
