import { rounded, type Measurement } from '../bench/measurement.ts'

/** The unit of failures, which have no figure. */
export const failureUnit = 'failure'

/** A figure with its unit: counts exactly, others to three digits. */
export function figureText({ unit, measured }: Pick<Measurement, 'unit' | 'measured'>): string {
  if (unit === failureUnit) return ''
  const figure = unit === '' && Number.isInteger(measured) ? measured : rounded(measured)
  return `${figure.toLocaleString('en')} ${unit}`.trimEnd()
}
