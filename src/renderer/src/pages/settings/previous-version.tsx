import { formatDateTime } from '../../../../shared/strings/format.ts'
import type { PreviousVersion, UpdatesState } from '../../../../shared/app/updates.ts'
import { WayBack } from '../../shell/way-back.tsx'
import { Places } from './places.tsx'
import { SettingCard } from './setting-card.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** The version that ran before this one, its database, and what a way back left. */
export function PreviousVersionCard({ state }: { state: UpdatesState }) {
  const { previous, restored, restoreProblem } = state
  if (!previous && !restored && restoreProblem === null) return null
  return (
    <SettingCard title={t('Previous version')}>
      {restoreProblem !== null && (
        <p role="alert" className="text-sm text-bad">
          {t('The database of this version was not restored: {restoreProblem}', { restoreProblem })}
        </p>
      )}
      {restored && (
        <>
          <p className="text-sm">
            {t(
              'You went back from version {version} on {date}. The database of {version} is kept. To use it, install {version}, then restore that database in Settings, Data.',
              { version: restored.fromVersion, date: formatDateTime(restored.atMs) },
            )}
          </p>
          {restored.keptAs !== null && (
            <Places
              places={[
                {
                  name: t('Database of {version}', { version: restored.fromVersion }),
                  what: t('database'),
                  path: restored.keptAs,
                },
              ]}
            />
          )}
        </>
      )}
      {previous && <Previous previous={previous} version={state.version} />}
    </SettingCard>
  )
}

interface PreviousProps {
  previous: PreviousVersion
  /** The running version. */
  version: string
}

function Previous({ previous, version }: PreviousProps) {
  const { copy, copiedAtMs } = previous
  const name = previous.version ?? t('an earlier version')
  return (
    <>
      <p className="text-sm">
        {t('The database of {name} was copied on {date}, before version {version} opened it.', {
          version,
          name,
          date: formatDateTime(copiedAtMs),
        })}
      </p>
      <Places places={[{ name: t('Copy of the database'), what: t('database'), path: copy }]} />
      <WayBack previous={previous} />
    </>
  )
}
