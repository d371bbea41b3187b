import type { Settings } from '../../../../shared/app/settings.ts'
import { Checkbox } from '../../components/checkbox.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { saveSetting } from '../../stores/settings.ts'
import { AlertWebhook } from './alert-webhook.tsx'
import { t } from '../../../../shared/strings/strings.ts'

type SwitchName = Extract<keyof Settings, `notify${string}`>

const switches: readonly { name: SwitchName; label: string; hint: string }[] = [
  {
    name: 'notifyProviders',
    label: t('A provider needs you'),
    hint: t('Its key is rejected or missing, or its credit is used up.'),
  },
  {
    name: 'notifyBudgets',
    label: t('A budget reaches 50, 80 or 100 %'),
    hint: t('Once per level and period.'),
  },
  {
    name: 'notifyFallbacks',
    label: t('A provider stops answering'),
    hint: t('After other models have answered for it for a minute.'),
  },
  {
    name: 'notifyCertificate',
    label: t('The certificate is near its end'),
    hint: t(
      'Modelport renews it by itself; this tells you when that fails, or when programs must trust a new one.',
    ),
  },
  {
    name: 'notifyUnexpectedCalls',
    label: t('A call you did not expect'),
    hint: t(
      'A key’s first use from another program, address or router, or far more refusals or spending than in its last four weeks.',
    ),
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
        {t('At most one notification per cause and hour. None contains a prompt or a key.')}
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
