import type { Settings } from '../../../../shared/app/settings.ts'
import { SettingCard } from './setting-card.tsx'
import { NumberSetting } from './setting-fields.tsx'
import { SignalSettings } from './signal-settings.tsx'
import { t } from '../../../../shared/strings/strings.ts'

export function PrivacySection({ settings }: { settings: Settings }) {
  return (
    <>
      <SettingCard title={t('Retention')}>
        <p className="text-sm text-muted">
          {t(
            'Everything stays on this computer. Records of requests contain figures; a router stores texts only if you turn it on there. Totals per day are kept forever.',
          )}
        </p>
        <NumberSetting
          settings={settings}
          name="keepRequestsDays"
          label={t('Keep requests')}
          unit={t('days')}
          hint={t('Older requests are deleted; their totals stay.')}
        />
        <NumberSetting
          settings={settings}
          name="keepMinutesDays"
          label={t('Keep totals per minute')}
          unit={t('days')}
        />
        <NumberSetting
          settings={settings}
          name="keepHoursDays"
          label={t('Keep totals per hour')}
          unit={t('days')}
        />
      </SettingCard>
      <SettingCard title={t('Learning from answers')}>
        <SignalSettings settings={settings} />
      </SettingCard>
    </>
  )
}
