import type { Settings } from '../../../../shared/settings.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import type { Choice } from '../../components/select.tsx'
import { useAction } from '../../components/use-action.ts'
import { useApp } from '../../stores/app.ts'
import { saveSetting } from '../../stores/settings.ts'
import { ExportCard } from './export-card.tsx'
import { Places } from './places.tsx'
import { SettingCard } from './setting-card.tsx'
import { NumberSetting, SwitchSetting } from './setting-fields.tsx'

const durabilities: readonly Choice<Settings['durability']>[] = [
  {
    value: 'fast',
    label: 'Fast',
    hint: 'Written a few milliseconds after the answer. A crash can lose the last records.',
  },
  {
    value: 'strict',
    label: 'Strict',
    hint: 'Written to disk before the answer ends. Every answer waits for the disk.',
  },
]

export function DataSection({ settings }: { settings: Settings }) {
  const dataDir = useApp(({ state }) => state?.dataDir)
  const { run, error } = useAction((value: Settings['durability']) =>
    saveSetting('durability', value),
  )
  return (
    <>
      <SettingCard title="Database">
        {dataDir !== undefined && <Places places={[['Data folder', dataDir]]} />}
        <NumberSetting
          settings={settings}
          name="databaseLimitMib"
          label="Size limit"
          unit="MiB"
          hint="Above it, the oldest requests are deleted; their totals stay."
        />
        <SwitchSetting
          settings={settings}
          name="dailyBackup"
          label="Copy the database once a day"
          hint="The copies of seven days are in the data folder, under backups."
        />
      </SettingCard>
      <ExportCard />
      <SettingCard title="Request records">
        <RadioCards
          label="Writing"
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
