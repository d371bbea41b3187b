import { useEffect } from 'react'
import type { Settings } from '../../../../shared/app/settings.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import type { Choice } from '../../components/select.tsx'
import { useAction } from '../../components/use-action.ts'
import { saveSetting } from '../../stores/settings.ts'
import { followUpdates, useUpdates } from '../../stores/updates.ts'
import { PreviousVersionCard } from './previous-version.tsx'
import { SettingCard } from './setting-card.tsx'
import { UpdateStatus } from './update-status.tsx'
import { t } from '../../../../shared/strings/strings.ts'

const modes: readonly Choice<Settings['updates']>[] = [
  {
    value: 'manual',
    label: t('On request'),
    hint: t('Modelport checks only when you click “Check for updates”.'),
  },
  {
    value: 'daily',
    label: t('Once a day'),
    hint: t('It tells you about a new version. Downloads still need your click.'),
  },
  { value: 'off', label: t('Off'), hint: t('No check is possible, and nothing connects.') },
]

/** The version, what the feed offers, and the way back. */
export function UpdatesSection({ settings }: { settings: Settings }) {
  const { state, error, load } = useUpdates()
  const save = useAction((mode: Settings['updates']) => saveSetting('updates', mode))
  useEffect(() => {
    void load()
    return followUpdates()
  }, [load])
  if (error) return <ErrorNote error={error} />
  if (!state) return <p className="text-sm text-muted">{t('Loading…')}</p>
  return (
    <>
      <SettingCard title={t('This version')}>
        <UpdateStatus state={state} isOff={settings.updates === 'off'} />
      </SettingCard>
      {state.feedUrl !== null && (
        <SettingCard title={t('When to check')}>
          <RadioCards
            label={t('Check for updates')}
            choices={modes}
            value={settings.updates}
            onChange={save.run}
            isWide
          />
          {save.error && <ErrorNote error={save.error} />}
          <p className="text-xs text-muted">
            {t(
              'A check reads a signed list from {host}. It sends no key, no id and nothing about your use.',
              { host: new URL(state.feedUrl).host },
            )}
          </p>
        </SettingCard>
      )}
      <PreviousVersionCard state={state} />
    </>
  )
}
