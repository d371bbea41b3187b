import type { Settings } from '../../../../shared/settings.ts'
import { CatalogSection } from './catalog-section.tsx'
import { NotificationsSection } from './notifications-section.tsx'
import { SettingCard } from './setting-card.tsx'
import { SwitchSetting } from './setting-fields.tsx'
import { StartupSection } from './startup-section.tsx'

export function GeneralSection({ settings }: { settings: Settings }) {
  return (
    <>
      <SettingCard title="Start and tray">
        <StartupSection keepInTray={settings.keepInTray} />
      </SettingCard>
      <SettingCard title="Notifications">
        <NotificationsSection settings={settings} />
      </SettingCard>
      <SettingCard title="Prices and models">
        <CatalogSection />
      </SettingCard>
      <SettingCard title="Prompts">
        <SwitchSetting
          settings={settings}
          name="promptCaching"
          label="Mark prompts for the vendor’s cache"
          hint="For vendors such as Anthropic, where repeated prompts cost less only if they are marked. Conversations that go on are marked."
        />
      </SettingCard>
    </>
  )
}
