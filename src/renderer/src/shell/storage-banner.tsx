import { Link } from '@tanstack/react-router'
import type { StorageState } from '../../../shared/app/storage-state.ts'
import { Button, buttonClass } from '../components/button.tsx'
import { Note } from '../components/error-note.tsx'
import { call } from '../stores/client.ts'
import { useApp } from '../stores/app.ts'
import { outageWords } from './storage-words.ts'
import { t } from '../../../shared/strings/strings.ts'

/** Says that the database is read-only or damaged, with the way out. */
export function StorageBanner() {
  const storage = useApp(({ state }) => state?.storage)
  if (!storage?.outage && !storage?.damage) return null
  return (
    <div className="flex flex-col gap-2 px-4 pt-3">
      {storage.outage && <Outage outage={storage.outage} />}
      {storage.damage && <Damage />}
    </div>
  )
}

function Outage({ outage }: { outage: NonNullable<StorageState['outage']> }) {
  return (
    <Note kind="bad">
      <span className="min-w-56 flex-1">{outageWords(outage)}</span>
      <Button size="small" onClick={() => void call('start:open-folder')}>
        {t('Open data folder')}
      </Button>
    </Note>
  )
}

function Damage() {
  return (
    <Note kind="bad">
      <span className="min-w-56 flex-1">
        {t(
          'The database is damaged. Modelport continues with what it can read. Restore a copy: the damaged database is kept, and newer requests that can still be read are added.',
        )}
      </span>
      <Link
        to="/settings/$section"
        params={{ section: 'data' }}
        className={buttonClass('primary', 'small')}
      >
        {t('Restore a copy')}
      </Link>
    </Note>
  )
}
