import type { Settings } from '../../../../shared/app/settings.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import type { Choice } from '../../components/select.tsx'
import { useAction } from '../../components/use-action.ts'
import { useApp } from '../../stores/app.ts'
import { saveSetting } from '../../stores/settings.ts'
import { BackupsCard } from './backups-card.tsx'
import { ExportCard } from './export-card.tsx'
import { Places } from './places.tsx'
import { SettingCard } from './setting-card.tsx'
import { NumberSetting } from './setting-fields.tsx'
import { t } from '../../../../shared/strings/strings.ts'

const durabilities: readonly Choice<Settings['durability']>[] = [
  {
    value: 'fast',
    label: t('Fast'),
    hint: t(
      'Written just after the answer. A crash can lose records of the last tenth of a second.',
    ),
  },
  {
    value: 'strict',
    label: t('Strict'),
    hint: t(
      'Written before the answer ends: a crash loses none. A third fewer requests per second.',
    ),
  },
]

export function DataSection({ settings }: { settings: Settings }) {
  const dataDir = useApp(({ state }) => state?.dataDir)
  const { run, error } = useAction((value: Settings['durability']) =>
    saveSetting('durability', value),
  )
  return (
    <>
      <SettingCard title={t('Database')}>
        {dataDir !== undefined && <Places places={[['Data folder', dataDir]]} />}
        <NumberSetting
          settings={settings}
          name="databaseLimitMib"
          label={t('Size limit')}
          unit={t('MiB')}
          hint={t('Above it, the oldest requests are deleted; their totals stay.')}
        />
      </SettingCard>
      <BackupsCard settings={settings} />
      <ExportCard />
      <SettingCard title={t('Request records')}>
        <RadioCards
          label={t('Writing')}
          choices={durabilities}
          value={settings.durability}
          onChange={run}
          isWide
        />
        {error && <ErrorNote error={error} />}
      </SettingCard>
    </>
  )
}
