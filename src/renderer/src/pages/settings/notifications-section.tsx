import type { Settings } from '../../../../shared/settings.ts'
import { Checkbox } from '../../components/checkbox.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { saveSetting } from '../../stores/settings.ts'
import { AlertWebhook } from './alert-webhook.tsx'

type SwitchName = Extract<keyof Settings, `notify${string}`>

const switches: readonly { name: SwitchName; label: string; hint: string }[] = [
  {
    name: 'notifyProviders',
    label: 'A provider needs you',
    hint: 'Its key is rejected or missing, or its credit is used up.',
  },
  {
    name: 'notifyBudgets',
    label: 'A budget reaches 50, 80 or 100 %',
    hint: 'Once per level and period.',
  },
  {
    name: 'notifyFallbacks',
    label: 'A provider stops answering',
    hint: 'After other models have answered for it for a minute.',
  },
  {
    name: 'notifyCertificate',
    label: 'The certificate is near its end',
    hint: 'Modelport renews it by itself; this tells you when that fails, or when programs must trust a new one.',
  },
]

/** Which notifications the system shows. */
export function NotificationsSection({ settings }: { settings: Settings }) {
  const { run, error } = useAction((name: SwitchName, value: boolean) => saveSetting(name, value))
  return (
    <>
      {switches.map(({ name, label, hint }) => (
        <Checkbox
          key={name}
          label={label}
          hint={hint}
          checked={settings[name]}
          onChange={(checked) => run(name, checked)}
        />
      ))}
      <p className="text-xs text-muted">
        At most one notification per cause and hour. None contains a prompt or a key.
      </p>
      {error && <ErrorNote error={error} />}
      <AlertWebhook
        key={settings.alertWebhook}
        url={settings.alertWebhook}
        isPrivateAllowed={settings.alertWebhookPrivateNetwork}
      />
    </>
  )
}
