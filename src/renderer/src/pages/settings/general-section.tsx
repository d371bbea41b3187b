import type { Settings } from '../../../../shared/app/settings.ts'
import { AlertWebhook } from './alert-webhook.tsx'
import { CatalogSection } from './catalog-section.tsx'
import { QuickEntryCard } from './quick-entry-card.tsx'
import { SettingCard } from './setting-card.tsx'
import { SettingsCard } from './setting-fields.tsx'
import { StartupCard } from './startup-card.tsx'
import { t } from '../../../../shared/strings/strings.ts'

export function GeneralSection({ settings }: { settings: Settings }) {
  return (
    <>
      <StartupCard settings={settings} />
      <SettingsCard card="notifications" settings={settings}>
        <p className="text-xs text-muted">
          {t('At most one notification per cause and hour. None contains a prompt or a key.')}
        </p>
        <AlertWebhook key={settings.alertWebhook} settings={settings} />
      </SettingsCard>
      <SettingCard title={t('Prices and models')}>
        <CatalogSection />
      </SettingCard>
      <SettingsCard card="chat" settings={settings} />
      <QuickEntryCard />
      <SettingsCard card="prompts" settings={settings} />
    </>
  )
}
