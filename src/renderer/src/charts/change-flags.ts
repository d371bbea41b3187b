/** The changes of a router's settings as flags of a chart over time. */
import { formatDateTime } from '../../../shared/strings/format.ts'
import type { FieldChange, RouterChange } from '../../../shared/routers/router-change.ts'
import { routerFields } from '../../../shared/routers/router-fields.ts'
import { routerGroups } from '../../../shared/routers/router-groups.ts'
import { strategyProfiles } from '../../../shared/routers/strategies.ts'
import { strategyNames } from '../../../shared/routers/strategy-names.ts'
import { joinWords } from '../../../shared/strings/join.ts'
import { t } from '../../../shared/strings/strings.ts'
import type { UsageRange } from '../usage/range.ts'
import { isFilled, type Bucket } from './buckets.ts'

export interface ChangeFlag {
  atMs: number
  /** One line for each setting. */
  lines: readonly string[]
}

export interface ChangeFlags {
  /** Flags of the range, the oldest first. */
  flags: readonly ChangeFlag[]
  /**
   * The flags that the cursor shows at a bucket: those since the bucket with requests before it, because the cursor
   * stops only at buckets with requests.
   */
  flagsAt: (bucket: Bucket) => readonly ChangeFlag[]
  /** Empty without a change. */
  sentence: string
}

export function changeFlags(
  changes: readonly RouterChange[],
  range: UsageRange,
  buckets: readonly Bucket[],
): ChangeFlags {
  const flags = changes
    .filter(({ atMs }) => atMs >= range.fromMs && atMs < range.toMs)
    .map(({ atMs, fields }) => ({ atMs, lines: fields.map(changeText) }))
    .toSorted((a, b) => a.atMs - b.atMs)
  const stops = buckets.filter(isFilled)
  const stopOf = ({ atMs }: ChangeFlag) => stops.find(({ endMs }) => atMs < endMs) ?? stops.at(-1)
  return {
    flags,
    flagsAt: ({ startMs }) => flags.filter((flag) => stopOf(flag)?.startMs === startMs),
    sentence: sentenceOf(flags),
  }
}

function sentenceOf(flags: readonly ChangeFlag[]): string {
  const last = flags.at(-1)
  if (!last) return ''
  return t(
    '{count, plural, one {Settings changed once} other {Settings changed # times, last}} on {time}: {changes}.',
    { count: flags.length, time: formatDateTime(last.atMs), changes: joinWords(last.lines) },
  )
}

/** `Strategy: Priority → Cost optimized`, `Added openai:gpt-5`, `Tier: pro → free`. */
function changeText({ field, from, to }: FieldChange): string {
  if (field === 'model' && to !== null) return t('Added {model}', { model: to })
  if (field === 'model') return t('Removed {model}', { model: from })
  if (field === 'modelOrder') return t('Order of models changed')
  const name = fieldName(field)
  if (from === null && to === null) return t('{name} changed', { name })
  return `${name}: ${valueText(field, from)} → ${valueText(field, to)}`
}

function valueText(field: string, value: string | null): string {
  if (value === null) return '—'
  const strategy = field === 'strategy' && strategyNames.find((name) => name === value)
  return strategy ? strategyProfiles[strategy].label : value
}

/** An unknown setting, from an older version, keeps its own name. */
function fieldName(field: string): string {
  const known = new Map<string, { label: string; unit?: string }>([
    ...Object.entries(routerFields),
    ...Object.entries(routerGroups),
  ]).get(field)
  if (known === undefined) return field
  return known.unit === undefined ? known.label : `${known.label} (${known.unit})`
}
