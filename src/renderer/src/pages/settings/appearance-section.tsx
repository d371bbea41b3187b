import { formatLocales } from '../../../../shared/strings/format-locales.ts'
import { formatCount, formatDateTime, formatUsd } from '../../../../shared/strings/format.ts'
import { settings as fields, type Settings } from '../../../../shared/app/settings.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { Select, type Choice } from '../../components/select.tsx'
import { useAction } from '../../components/use-action.ts'
import { useNow } from '../../components/use-now.ts'
import { saveSetting } from '../../stores/settings.ts'
import { SettingsCard } from './setting-fields.tsx'
import { language, t } from '../../../../shared/strings/strings.ts'

export function AppearanceSection({ settings }: { settings: Settings }) {
  return (
    <>
      <SettingsCard card="look" settings={settings} />
      <SettingsCard card="formats" settings={settings}>
        <FormatLocale locale={settings.locale} />
      </SettingsCard>
    </>
  )
}

const names = new Intl.DisplayNames(language(), { type: 'language', languageDisplay: 'standard' })

const locales: readonly Choice<Settings['locale']>[] = [
  { value: 'system', label: t('System') },
  ...formatLocales.map((value) => ({ value, label: names.of(value) ?? value })),
]

/** An example amount and count, large enough for separators. */
const example = { usd: 1_234.5, count: 1_234_567 }

function FormatLocale({ locale }: { locale: Settings['locale'] }) {
  const { run, error } = useAction((value: Settings['locale']) => saveSetting('locale', value))
  const nowMs = useNow()
  return (
    <>
      <div className="w-72 max-w-full">
        <Select label={fields.locale.label} choices={locales} value={locale} onChange={run} />
      </div>
      <p className="text-sm text-muted tabular-nums">
        {formatCount(example.count)} · {formatUsd(example.usd)} · {formatDateTime(nowMs)}
      </p>
      {error && <ErrorNote error={error} />}
    </>
  )
}
