import { rangeNames, type RangeName } from '../usage/range.ts'
import { useRange } from '../usage/use-range.ts'
import { Segmented } from './segmented.tsx'

const titles: Record<RangeName, string> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  all: 'Everything in the ledger',
}

/** Chooses the range in the address. */
export function RangePicker() {
  const [range, setRange] = useRange()
  return (
    <Segmented
      label="Range"
      choices={rangeNames.map((name) => ({
        value: name,
        label: name === 'all' ? 'All' : name,
        title: titles[name],
      }))}
      value={range.name}
      onChange={setRange}
    />
  )
}
