import { formatLocales } from '../../../../shared/strings/format-locales.ts'
import { formatCount, formatDateTime, formatUsd } from '../../../../shared/strings/format.ts'
import type { Settings } from '../../../../shared/app/settings.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import { Select, type Choice } from '../../components/select.tsx'
import { useAction } from '../../components/use-action.ts'
import { useNow } from '../../components/use-now.ts'
import { saveSetting } from '../../stores/settings.ts'
import { SettingCard } from './setting-card.tsx'
import { t } from '../../../../shared/strings/strings.ts'

const themes: readonly Choice<Settings['theme']>[] = [
  { value: 'system', label: t('System') },
  { value: 'light', label: t('Light') },
  { value: 'dark', label: t('Dark') },
]

const densities: readonly Choice<Settings['density']>[] = [
  {
    value: 'comfortable',
    label: t('Comfortable'),
    hint: t('More space around rows and controls.'),
  },
  { value: 'compact', label: t('Compact'), hint: t('More rows of tables and lists at once.') },
]

export function AppearanceSection({ settings }: { settings: Settings }) {
  const theme = useAction((value: Settings['theme']) => saveSetting('theme', value))
  const density = useAction((value: Settings['density']) => saveSetting('density', value))
  const error = theme.error ?? density.error
  return (
    <>
      <SettingCard title={t('Theme and density')}>
        <RadioCards
          label={t('Theme')}
          choices={themes}
          value={settings.theme}
          onChange={theme.run}
        />
        <RadioCards
          label={t('Density')}
          choices={densities}
          value={settings.density}
          onChange={density.run}
        />
        {error && <ErrorNote error={error} />}
      </SettingCard>
      <SettingCard title={t('Numbers and dates')}>
        <FormatLocale locale={settings.locale} />
      </SettingCard>
    </>
  )
}

const languages = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' })

const locales: readonly Choice<Settings['locale']>[] = [
  { value: 'system', label: t('System') },
  ...formatLocales.map((value) => ({ value, label: languages.of(value) ?? value })),
]

/** An example amount and count, large enough for separators. */
const example = { usd: 1_234.5, count: 1_234_567 }

function FormatLocale({ locale }: { locale: Settings['locale'] }) {
  const { run, error } = useAction((value: Settings['locale']) => saveSetting('locale', value))
  const nowMs = useNow()
  return (
    <>
      <div className="w-72 max-w-full">
        <Select label={t('Format')} choices={locales} value={locale} onChange={run} />
      </div>
      <p className="text-sm text-muted tabular-nums">
        {formatCount(example.count)} · {formatUsd(example.usd)} · {formatDateTime(nowMs)}
      </p>
      {error && <ErrorNote error={error} />}
    </>
  )
}
