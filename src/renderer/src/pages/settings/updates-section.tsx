import { Skeleton } from '../../components/page.tsx'
import { useEffect } from 'react'
import type { Settings } from '../../../../shared/app/settings.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { followUpdates, useUpdates } from '../../stores/updates.ts'
import { PreviousVersionCard } from './previous-version.tsx'
import { SettingCard } from './setting-card.tsx'
import { SettingsCard } from './setting-fields.tsx'
import { UpdateStatus } from './update-status.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** The version, what the feed offers, and the way back. */
export function UpdatesSection({ settings }: { settings: Settings }) {
  const { state, error, load } = useUpdates()
  useEffect(() => {
    void load()
    return followUpdates()
  }, [load])
  if (error) return <ErrorNote error={error} />
  if (!state) return <Skeleton>{t('Loading…')}</Skeleton>
  return (
    <>
      <SettingCard title={t('This version')}>
        <UpdateStatus state={state} isOff={settings.updates === 'off'} />
      </SettingCard>
      {state.feedUrl !== null && (
        <SettingsCard card="updates" settings={settings}>
          <p className="text-xs text-muted">
            {t(
              'A check reads a signed list from {host}. It sends no key, no id and nothing about your use.',
              { host: new URL(state.feedUrl).host },
            )}
          </p>
        </SettingsCard>
      )}
      <PreviousVersionCard state={state} />
    </>
  )
}
