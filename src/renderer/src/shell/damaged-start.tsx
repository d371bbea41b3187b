import { useEffect, useState } from 'react'
import type { BackupCopy } from '../../../shared/app/backups.ts'
import { formatDateTime } from '../../../shared/strings/format.ts'
import { Button } from '../components/button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { ErrorNote } from '../components/error-note.tsx'
import { useAction } from '../components/use-action.ts'
import { newestRestorable, useBackups } from '../stores/backups.ts'
import { call } from '../stores/client.ts'
import { t } from '../../../shared/strings/strings.ts'

/** The newest ones; a person rarely needs more, and the data folder has all. */
const shownCopies = 4

/** The ways out of a damaged database: a copy, or an empty one. Nothing is deleted. */
export function DamagedStart() {
  return (
    <section aria-label={t('Ways out')} className="flex flex-col gap-3">
      <RestorableCopies />
      <StartEmpty />
    </section>
  )
}

/** The newest copies that this version can restore, each with a button that restores it. */
export function RestorableCopies() {
  const { list, error, load } = useBackups()
  useEffect(() => void load(), [load])
  const copies = list && newestRestorable(list, shownCopies)
  return (
    <>
      {error && <ErrorNote error={error} />}
      {!list && !error && <p className="text-muted">{t('Reading the copies…')}</p>}
      {copies?.length === 0 && (
        <p>{t('The data folder has no copy that this version can restore.')}</p>
      )}
      {copies && copies.length > 0 && <Copies copies={copies} />}
    </>
  )
}

function Copies({ copies }: { copies: readonly BackupCopy[] }) {
  const { run, isRunning, error } = useAction((name: string) => call('backups:restore', { name }))
  return (
    <>
      {error && <ErrorNote error={error} />}
      <ul className="flex flex-col gap-2">
        {copies.map(({ name, createdAtMs, counts }, index) => (
          <li key={name}>
            <Button
              look={index === 0 ? 'primary' : 'plain'}
              disabled={isRunning}
              onClick={() => run(name)}
            >
              {t(
                'Restore the copy of {date} ({requests, plural, one {# request} other {# requests}})',
                { date: formatDateTime(createdAtMs), requests: counts?.requests ?? 0 },
              )}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

function StartEmpty() {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <div>
        <Button onClick={() => setIsAsking(true)}>{t('Start with an empty database')}</Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('Start with an empty database?')}
          description={t(
            'Modelport starts without routers, API keys, requests and conversations. The damaged database stays in the data folder as modelport.damaged-(time).db.',
          )}
          action={t('Start empty')}
          onConfirm={async () => void (await call('start:empty'))}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
