import { rangeNames, type RangeName } from '../usage/range.ts'
import { useAddressSearch } from '../usage/search.ts'
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

/** Chooses the range in the address; none is chosen while the address has exact times. */
export function RangePicker({ usual }: { usual?: RangeName }) {
  const [range, setRange] = useRange(usual)
  const { fromMs, toMs } = useAddressSearch()
  const isExact = fromMs !== undefined || toMs !== undefined
  return (
    <Segmented
      label={t('Range')}
      choices={rangeNames.map((name) => ({
        value: name,
        label: name === 'all' ? t('All') : name,
        title: titles[name],
      }))}
      value={isExact ? null : range.name}
      onChange={setRange}
    />
  )
}
