import { useState } from 'react'
import type { SecurityCheck } from '../../../../shared/app/security-check.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { call } from '../../stores/client.ts'
import { SettingCard } from './setting-card.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** Attacks the running service, and shows what was tried and seen. */
export function SecurityCard() {
  const [checks, setChecks] = useState<readonly SecurityCheck[] | null>(null)
  const { run, isRunning, error } = useAction(async () => {
    setChecks(await call('diagnostics:security'))
  })
  return (
    <SettingCard title={t('Security check')}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose min-w-0 flex-1 text-sm text-muted">
          {t(
            'Modelport attacks itself as a web page, another program and another computer would. This takes about 15 seconds and changes nothing.',
          )}
        </p>
        <Button disabled={isRunning} onClick={() => run()}>
          {isRunning ? t('Checking…') : t('Check security')}
        </Button>
      </div>
      {error && <ErrorNote error={error} />}
      {checks && <Results checks={checks} />}
    </SettingCard>
  )
}

const marks: Readonly<Record<SecurityCheck['status'], { tone: Tone; text: string }>> = {
  ok: { tone: 'ok', text: t('OK') },
  failed: { tone: 'bad', text: t('Failed') },
  not_applicable: { tone: 'neutral', text: t('Not applicable') },
}

const columns: readonly Column[] = [
  { name: t('Check'), className: 'align-top whitespace-nowrap' },
  { name: t('Tried'), className: 'min-w-48 align-top text-muted' },
  { name: t('Seen'), className: 'min-w-48 align-top' },
  { name: t('Result'), className: 'align-top whitespace-nowrap' },
]

function Results({ checks }: { checks: readonly SecurityCheck[] }) {
  return (
    <DataTable
      label={t('Results of the security check')}
      columns={columns}
      rows={checks.map(({ check, tried, seen, status }) => ({
        key: check,
        cells: [
          check,
          tried,
          seen,
          <Badge key="status" tone={marks[status].tone}>
            {marks[status].text}
          </Badge>,
        ],
      }))}
    />
  )
}
