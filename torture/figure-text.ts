import { rounded, type Measurement } from '../bench/measurement.ts'

/** A figure with its unit: counts exactly, others to three digits. */
export function figureText({ unit, measured }: Pick<Measurement, 'unit' | 'measured'>): string {
  const figure = unit === '' && Number.isInteger(measured) ? measured : rounded(measured)
  return `${figure.toLocaleString('en')} ${unit}`.trimEnd()
}
