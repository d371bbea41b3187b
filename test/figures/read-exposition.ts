/** A strict reader of Prometheus' text format 0.0.4: it refuses everything it does not know. */
export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

export interface Exposition {
  samplesOf(name: string): Sample[]
  /** @throws Error when there is not exactly one such sample */
  valueOf(name: string, labels?: Readonly<Record<string, string>>): number
}

const namePattern = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const sampleLine = new RegExp(`^(${namePattern})(?:\\{(.*)\\})? (\\S+)$`)
const metaLine = new RegExp(`^# (?:HELP (${namePattern}) .+|TYPE (${namePattern}) (\\w+))$`)
const labelPair = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(?:,|$)/gy

/** @throws Error that names the invalid line */
export function readExposition(text: string): Exposition {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const types = new Map<string, string>()
  const samples: Sample[] = []
  for (const line of text.slice(0, -1).split('\n')) {
    if (line.startsWith('#')) readMeta(line, types)
    else samples.push(readSample(line, types))
  }
  const unique = new Set(samples.map(({ name, labels }) => name + JSON.stringify(labels)))
  if (unique.size !== samples.length) throw new Error('a sample is there twice')
  const samplesOf = (name: string) => samples.filter((sample) => sample.name === name)
  return {
    samplesOf,
    valueOf(name, labels = {}) {
      const wanted = JSON.stringify(sorted(labels))
      const found = samplesOf(name).filter((one) => JSON.stringify(sorted(one.labels)) === wanted)
      const [sample] = found
      if (!sample || found.length > 1)
        throw new Error(`${found.length} samples of ${name} ${wanted}`)
      return sample.value
    },
  }
}

function readMeta(line: string, types: Map<string, string>): void {
  const [, helped, typed, type = ''] = metaLine.exec(line) ?? []
  if (helped === undefined && typed === undefined) throw new Error(`not a comment: ${line}`)
  if (typed === undefined) return
  if (types.has(typed)) throw new Error(`a family is there twice: ${line}`)
  types.set(typed, type)
}

function readSample(line: string, types: ReadonlyMap<string, string>): Sample {
  const [, name = '', pairs = '', text = ''] = sampleLine.exec(line) ?? []
  const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')
  const isKnown = types.has(family) && (family === name || types.get(family) === 'histogram')
  const value = Number(text)
  if (!isKnown || Number.isNaN(value)) throw new Error(`not a sample: ${line}`)
  return { name, labels: readLabels(pairs), value }
}

function readLabels(pairs: string): Record<string, string> {
  const found = [...pairs.matchAll(labelPair)]
  if (found.map(([pair]) => pair).join('') !== pairs) throw new Error(`not labels: ${pairs}`)
  const labels: Record<string, string> = {}
  for (const [, label = '', text = ''] of found) labels[label] = unescape(text)
  return labels
}

function unescape(text: string): string {
  return text.replaceAll(/\\./g, (pair) => (pair === '\\n' ? '\n' : pair.slice(1)))
}

function sorted(labels: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
