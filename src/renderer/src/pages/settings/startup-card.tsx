import { useEffect } from 'react'
import { settingCards } from '../../../../shared/app/settings-sections.ts'
import type { Settings } from '../../../../shared/app/settings.ts'
import type { StartupState } from '../../../../shared/app/startup.ts'
import { Checkbox } from '../../components/checkbox.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { changeStartup, useStartup } from '../../stores/startup.ts'
import { SettingCard } from './setting-card.tsx'
import { Setting } from './setting-fields.tsx'
import { t } from '../../../../shared/strings/strings.ts'

const noTrayHint = t('This desktop shows no tray icons, so closing the window quits Modelport.')

/** Starting with the computer, and staying in the tray. */
export function StartupCard({ settings }: { settings: Settings }) {
  const { state, error } = useStartup()
  useEffect(() => {
    const load = () => void useStartup.getState().load()
    load()
    // The user may change it in the system's own settings meanwhile.
    window.addEventListener('focus', load)
    return () => window.removeEventListener('focus', load)
  }, [])
  return (
    <SettingCard title={settingCards.startup}>
      {state && <LoginFields state={state} />}
      <Setting
        name="keepInTray"
        settings={settings}
        hint={state?.hasTray === false ? noTrayHint : undefined}
      />
      {error && <ErrorNote error={error} />}
    </SettingCard>
  )
}

function LoginFields({ state }: { state: StartupState }) {
  const { launchesAtLogin, startsHidden } = state
  const { run, error } = useAction(changeStartup)
  return (
    <>
      <Checkbox
        label={t('Start Modelport when you log in')}
        hint={t('Programs can then use it as soon as you log in.')}
        checked={launchesAtLogin}
        onChange={(checked) => run({ launchesAtLogin: checked, startsHidden })}
      />
      <Checkbox
        label={t('Start without a window')}
        hint={t(
          'Only when it starts at login. Open the window from the tray, or by starting Modelport again.',
        )}
        checked={launchesAtLogin && startsHidden}
        isDisabled={!launchesAtLogin}
        onChange={(checked) => run({ launchesAtLogin, startsHidden: checked })}
      />
      {error && <ErrorNote error={error} />}
    </>
  )
}
