/**
 * Prometheus' text format, version 0.0.4: the heading of each metric family, then its samples.
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
import { countUpTo, type Histogram } from '../../storage/histogram.ts'

export type Labels = Readonly<Record<string, string>>

export interface Family {
  name: string
  type: 'counter' | 'gauge'
  help: string
  samples: readonly { labels?: Labels; value: number }[]
}

export interface HistogramFamily {
  /** Ends in `_seconds`. */
  name: string
  help: string
  samples: readonly { labels: Labels; histogram: Histogram; sumSeconds: number }[]
}

/** Omits a family without samples. */
export function writeFamily({ name, type, help, samples }: Family): string {
  if (samples.length === 0) return ''
  const lines = samples.map(({ labels = {}, value }) => line(name, labels, value))
  return heading(name, type, help) + lines.join('')
}

/** Doubles from 1 ms to 524 s. Our own histograms have these boundaries too, so nothing is interpolated. */
const bounds = Array.from({ length: 20 }, (_, exponent) => ({
  exponent,
  le: String(2 ** exponent / 1000),
}))

/** Writes a family of histograms, like `writeFamily`. */
export function writeHistograms({ name, help, samples }: HistogramFamily): string {
  if (samples.length === 0) return ''
  const lines = samples.map(({ labels, histogram, sumSeconds }) => {
    const total = histogram.reduce((sum, count) => sum + count, 0)
    const buckets = bounds.map(({ exponent, le }) =>
      line(`${name}_bucket`, { ...labels, le }, countUpTo(histogram, exponent)),
    )
    return [
      ...buckets,
      line(`${name}_bucket`, { ...labels, le: '+Inf' }, total),
      line(`${name}_sum`, labels, sumSeconds),
      line(`${name}_count`, labels, total),
    ].join('')
  })
  return heading(name, 'histogram', help) + lines.join('')
}

function heading(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`)
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
