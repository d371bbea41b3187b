import { rangeNames, type RangeName } from '../usage/range.ts'
import { useRange } from '../usage/use-range.ts'
import { Segmented } from './segmented.tsx'
import { t } from '../../../shared/strings/strings.ts'

const titles: Record<RangeName, string> = {
  '1h': t('Last hour'),
  '24h': t('Last 24 hours'),
  '7d': t('Last 7 days'),
  '30d': t('Last 30 days'),
  all: t('Everything in the ledger'),
}

/** Chooses the range in the address. */
export function RangePicker() {
  const [range, setRange] = useRange()
  return (
    <Segmented
      label={t('Range')}
      choices={rangeNames.map((name) => ({
        value: name,
        label: name === 'all' ? t('All') : name,
        title: titles[name],
      }))}
      value={range.name}
      onChange={setRange}
    />
  )
}
