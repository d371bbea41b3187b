import type { Settings } from '../../../../shared/settings.ts'
import { SettingCard } from './setting-card.tsx'
import { NumberSetting } from './setting-fields.tsx'
import { SignalSettings } from './signal-settings.tsx'

export function PrivacySection({ settings }: { settings: Settings }) {
  return (
    <>
      <SettingCard title="Retention">
        <p className="text-sm text-muted">
          Everything stays on this computer. Records of requests contain figures; a router stores
          texts only if you turn it on there. Totals per day are kept forever.
        </p>
        <NumberSetting
          settings={settings}
          name="keepRequestsDays"
          label="Keep requests"
          unit="days"
          hint="Older requests are deleted; their totals stay."
        />
        <NumberSetting
          settings={settings}
          name="keepMinutesDays"
          label="Keep totals per minute"
          unit="days"
        />
        <NumberSetting
          settings={settings}
          name="keepHoursDays"
          label="Keep totals per hour"
          unit="days"
        />
      </SettingCard>
      <SettingCard title="Learning from answers">
        <SignalSettings settings={settings} />
      </SettingCard>
    </>
  )
}
