import { useState } from 'react'
import type { SecurityCheck } from '../../../../shared/app/security-check.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
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

function Results({ checks }: { checks: readonly SecurityCheck[] }) {
  return (
    <div
      role="region"
      aria-label={t('Results of the security check')}
      tabIndex={0}
      className="overflow-x-auto"
    >
      <table className="w-full min-w-xl text-left text-sm">
        <thead className="text-xs text-muted">
          <tr>
            <th className="py-1.5 pr-4 font-medium">{t('Check')}</th>
            <th className="py-1.5 pr-4 font-medium">{t('Tried')}</th>
            <th className="py-1.5 pr-4 font-medium">{t('Seen')}</th>
            <th className="py-1.5 font-medium">{t('Result')}</th>
          </tr>
        </thead>
        <tbody>
          {checks.map(({ check, tried, seen, status }) => (
            <tr key={check} className="border-t border-line align-top">
              <th scope="row" className="py-2 pr-4 font-medium whitespace-nowrap">
                {check}
              </th>
              <td className="py-2 pr-4 text-muted">{tried}</td>
              <td className="py-2 pr-4 tabular-nums">{seen}</td>
              <td className="py-2 whitespace-nowrap">
                <Badge tone={marks[status].tone}>{marks[status].text}</Badge>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
