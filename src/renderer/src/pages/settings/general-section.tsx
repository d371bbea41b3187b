import type { Settings } from '../../../../shared/app/settings.ts'
import { CatalogSection } from './catalog-section.tsx'
import { NotificationsSection } from './notifications-section.tsx'
import { SettingCard } from './setting-card.tsx'
import { SwitchSetting } from './setting-fields.tsx'
import { StartupSection } from './startup-section.tsx'
import { t } from '../../../../shared/strings/strings.ts'

export function GeneralSection({ settings }: { settings: Settings }) {
  return (
    <>
      <SettingCard title={t('Start and tray')}>
        <StartupSection keepInTray={settings.keepInTray} />
      </SettingCard>
      <SettingCard title={t('Notifications')}>
        <NotificationsSection settings={settings} />
      </SettingCard>
      <SettingCard title={t('Prices and models')}>
        <CatalogSection />
      </SettingCard>
      <SettingCard title={t('Prompts')}>
        <SwitchSetting
          settings={settings}
          name="promptCaching"
          label={t('Mark prompts for the vendor’s cache')}
          hint={t(
            'For vendors such as Anthropic, where repeated prompts cost less only if they are marked. Conversations that go on are marked.',
          )}
        />
      </SettingCard>
    </>
  )
}
