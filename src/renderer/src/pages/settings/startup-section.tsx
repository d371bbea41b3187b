import { useEffect } from 'react'
import type { StartupState } from '../../../../shared/app/startup.ts'
import { Checkbox } from '../../components/checkbox.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { saveSetting } from '../../stores/settings.ts'
import { changeStartup, useStartup } from '../../stores/startup.ts'
import { t } from '../../../../shared/strings/strings.ts'

const trayHint = t(
  'Closing the window then keeps serving. Quit from the icon’s menu, which also pauses serving and shows today’s spend.',
)
const noTrayHint = t('This desktop shows no tray icons, so closing the window quits Modelport.')

/** Starting with the computer, and staying in the tray. */
export function StartupSection({ keepInTray }: { keepInTray: boolean }) {
  const { state, error } = useStartup()
  useEffect(() => {
    const load = () => void useStartup.getState().load()
    load()
    // The user may change it in the system's own settings meanwhile.
    window.addEventListener('focus', load)
    return () => window.removeEventListener('focus', load)
  }, [])
  const saveTray = useAction((value: boolean) => saveSetting('keepInTray', value))
  const failure = error ?? saveTray.error
  return (
    <>
      {state && <LoginFields state={state} />}
      <Checkbox
        label={t('Show an icon in the system tray')}
        hint={state?.hasTray === false ? noTrayHint : trayHint}
        checked={keepInTray}
        onChange={saveTray.run}
      />
      {failure && <ErrorNote error={failure} />}
    </>
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
