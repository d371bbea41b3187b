import type { Settings } from '../../../../shared/app/settings.ts'
import { useApp } from '../../stores/app.ts'
import { BackupsCard } from './backups-card.tsx'
import { ExportCard } from './export-card.tsx'
import { Places } from './places.tsx'
import { SettingsCard } from './setting-fields.tsx'
import { t } from '../../../../shared/strings/strings.ts'

export function DataSection({ settings }: { settings: Settings }) {
  const dataDir = useApp(({ state }) => state?.dataDir)
  return (
    <>
      <SettingsCard
        card="database"
        settings={settings}
        intro={
          dataDir !== undefined && (
            <Places places={[{ name: t('Data folder'), what: t('data folder'), path: dataDir }]} />
          )
        }
      />
      <BackupsCard settings={settings} />
      <ExportCard />
      <SettingsCard card="records" settings={settings} />
    </>
  )
}
