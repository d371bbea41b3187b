/**
 * Formats estimates with `≈` and two significant digits, because the data is no more precise.
 * A range follows in brackets, in the unit of its middle.
 */
import type { Band } from '../../../shared/routers/replay.ts'
import { formatTwoDigits } from '../../../shared/strings/format.ts'
import { t } from '../../../shared/strings/strings.ts'

interface Unit {
  /** The smallest value in this unit. */
  from: number
  /** The value of one unit. */
  size: number
  write: (text: string) => string
}

/** Largest unit first. Below a tenth of a gram the unit is milligrams, as everywhere in the window. */
const units: Record<'usd' | 'ms' | 'grams', readonly [Unit, ...Unit[]]> = {
  usd: [{ from: 0, size: 1, write: (text) => `$${text}` }],
  ms: [
    { from: 60_000, size: 60_000, write: (minutes) => t('{minutes} min', { minutes }) },
    { from: 1000, size: 1000, write: (text) => `${text} s` },
    { from: 0, size: 1, write: (milliseconds) => t('{milliseconds} ms', { milliseconds }) },
  ],
  grams: [
    { from: 1000, size: 1000, write: (kilograms) => t('{kilograms} kg', { kilograms }) },
    { from: 0.1, size: 1, write: (text) => `${text} g` },
    { from: 0, size: 0.001, write: (milligrams) => t('{milligrams} mg', { milligrams }) },
  ],
}

/** The kind of estimate: US dollars, milliseconds, or grams of CO2e. */
export type Measure = keyof typeof units

/** `≈ $0.0021`, or `$0`. */
export function formatAbout(measure: Measure, value: number): string {
  const unit = unitOf(measure, value)
  if (value === 0) return measure === 'grams' ? t('≈ 0 g') : unit.write('0')
  return `≈ ${unit.write(formatTwoDigits(value / unit.size))}`
}

/** `+120 ms`, `−0.4 g`; `no change` below half a percent. */
export function formatChange(measure: Measure, { from, to }: { from: number; to: number }): string {
  const difference = Math.abs(to - from)
  if (difference <= Math.max(Math.abs(from), Math.abs(to)) * 0.005) return t('no change')
  const { size, write } = unitOf(measure, difference)
  return `${to < from ? '−' : '+'}${write(formatTwoDigits(difference / size))}`
}

/** `≈ 0.1 g (0.04–0.3)` */
export function formatAboutBand(measure: Measure, { low, mid, high }: Band): string {
  const middle = formatAbout(measure, mid)
  if (low === high) return middle
  const { size } = unitOf(measure, mid)
  return `${middle} (${formatTwoDigits(low / size)}–${formatTwoDigits(high / size)})`
}

function unitOf(measure: Measure, value: number): Unit {
  return units[measure].find(({ from }) => value >= from) ?? units[measure][0]
}
