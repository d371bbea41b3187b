/**
 * Reads each drawn mark of the charts back into what a person sees: its time from the time axis, its amount from the
 * labels of the value axis, and its model from the colour of the legend. All of it is compared with the rows of a ledger.
 */
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, test, vi } from 'vitest'
import { seeded } from '../../../../../test/agents/random.ts'
import { reportOf } from '../../../../../test/renderer-harness/fake-usage.ts'
import { usedScene } from '../../../../../test/renderer-harness/scenes.ts'
import type { RequestRecord } from '../../../../shared/entities.ts'
import { CarbonChart } from '../../charts/carbon-chart.tsx'
import { CostLatencyChart } from '../../charts/cost-latency-chart.tsx'
import { DecisionsChart } from '../../charts/decisions-chart.tsx'
import type { DraftOverlay } from '../../charts/draft-overlay.ts'
import { LatencyChart } from '../../charts/latency-chart.tsx'
import type { LineData } from '../../charts/line-plot.ts'
import { OutcomesChart } from '../../charts/outcomes-chart.tsx'
import type { Frame } from '../../charts/plot-frame.ts'
import type { Scale } from '../../charts/scales.ts'
import { SpendChart } from '../../charts/spend-chart.tsx'
import { TokensChart } from '../../charts/tokens-chart.tsx'
import type { UsageRange } from '../../usage/range.ts'

interface Canvas {
  frame: Frame
  scale: Scale
  data: LineData
}

const canvases = vi.hoisted(() => new Array<Canvas>())
vi.mock('../../charts/line-canvas.tsx', () => ({
  LineCanvas: (canvas: Canvas) => void canvases.push(canvas),
}))
vi.mock('../../charts/use-width.ts', () => ({ useWidth: () => ({ container: null, width: 900 }) }))
vi.mock('@tanstack/react-router', () => ({
  Link: 'a',
  useSearch: () => ({}),
  useNavigate: () => () => undefined,
}))

const hourMs = 3_600_000
const range: UsageRange = {
  name: '24h',
  fromMs: Date.UTC(2026, 10, 22),
  toMs: Date.UTC(2026, 10, 23),
  bucketMs: hourMs,
  offsetMs: 0,
}
const models = ['a:large', 'a:small', 'b:middle'] as const
const rows = randomRows()
const report = reportOf(rows, { ...range, group: 'model' })

beforeEach(() => {
  canvases.length = 0
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  return () => vi.unstubAllGlobals()
})

/** Requests of a day, without its last two hours; some fail. */
function randomRows(): RequestRecord[] {
  const [like] = usedScene().requests
  if (!like) throw new Error('the scene has no request')
  const chance = seeded(28)
  return Array.from({ length: 400 }, (_, index) => {
    const modelUsed = chance.isTrue(0.25) ? null : chance.pick(models)
    return {
      ...like,
      id: String(index),
      startedAtMs: range.fromMs + chance.below(22 * hourMs),
      modelUsed,
      fallbackFrom: null,
      status: modelUsed === null ? chance.pick([429, 400, 502]) : 200,
      costNanoUsd: modelUsed === null ? 0 : 100_000 + chance.below(900_000),
      carbonGrams: 0.1 + chance.next(),
      reportedPromptTokens: 100 + chance.below(900),
      reportedCompletionTokens: 100 + chance.below(300),
      latencyMs: 800 + chance.below(900),
    }
  })
}

interface Mark {
  tag: string
  attributes: Record<string, string>
  text: string
}

function marksIn(markup: string): Mark[] {
  return [...markup.matchAll(/<(\w+)((?: [\w-]+="[^"]*")*)\/?>([^<]*)/g)].map(
    ([, tag = '', attributes = '', text = '']) => ({
      tag,
      attributes: Object.fromEntries(
        [...attributes.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
      ),
      text,
    }),
  )
}

const number = ({ attributes }: Mark, name: string) => Number(attributes[name] ?? NaN)

const units: Readonly<Record<string, number>> = {
  K: 1e3,
  M: 1e6,
  mg: 1e-3,
  g: 1,
  ms: 1,
  s: 1e3,
}

/** The amount that a label of an axis names: `$0.05`, `1.5K`, `≈ 20 mg` or `2 s`. */
function amountOf(label: string): number {
  const [, digits = '', unit = ''] = /^(?:≈ |\$)?([\d.,]+) ?(\w*)$/.exec(label) ?? []
  return Number(digits.replaceAll(',', '')) * (units[unit] ?? 1)
}

interface Axes {
  /** Start of the hour at this position. */
  hourAt: (x: number) => number
  amountAt: (y: number) => number
}

/** Reads the axes by what is written beside them. */
function axesOf(marks: readonly Mark[]): Axes {
  const labels = marks.filter(
    ({ tag, attributes }) => tag === 'text' && attributes['text-anchor'] === 'end',
  )
  const values = labels.filter(({ text }) => Number.isFinite(amountOf(text)) && text !== '')
  const [lowest, highest] = [values[0], values.findLast((mark) => number(mark, 'x') < 100)]
  const edge = marks.find(({ attributes }) => attributes['class'] === 'stroke-edge')
  if (!edge) throw new Error('there is no time axis')
  const [left, right] = [number(edge, 'x1'), number(edge, 'x2')]
  return {
    hourAt: (x) => range.fromMs + Math.floor(((x - left + 0.01) / (right - left)) * 24) * hourMs,
    amountAt: (y) => {
      if (!lowest || !highest) throw new Error('there is no value axis')
      const [bottom, top] = [number(lowest, 'y'), number(highest, 'y')]
      const share = (bottom - (y + 4)) / (bottom - top)
      return amountOf(lowest.text) + share * (amountOf(highest.text) - amountOf(lowest.text))
    },
  }
}

/** Colours by the names that the legend gives them. */
function legendOf(markup: string): Map<string, string> {
  const entries = markup.matchAll(
    /<svg[^>]*width="10"[^>]*><rect[^>]*fill:([^";]+)[^>]*>.*?<(?:a|span)[^>]*>([^<]*)</g,
  )
  return new Map([...entries].map(([, color = '', label = '']) => [color, label]))
}

/** What reacts to the pointer has no colour. */
function bars(marks: readonly Mark[]): Mark[] {
  return marks.filter(
    ({ tag, attributes }) => tag === 'rect' && 'x' in attributes && 'style' in attributes,
  )
}

const hourOf = ({ startedAtMs }: RequestRecord) => startedAtMs - (startedAtMs % hourMs)

/** Sums by hour and name, in the order of time. */
function summed(
  of: readonly RequestRecord[],
  partsOf: (row: RequestRecord) => Readonly<Record<string, number>>,
): Map<string, number> {
  const sums = new Map<string, number>()
  for (const row of of)
    for (const [name, amount] of Object.entries(partsOf(row))) {
      const key = `${hourOf(row)} ${name}`
      sums.set(key, (sums.get(key) ?? 0) + amount)
    }
  return sums
}

/** Marks that are missing, too many, or further from their amount than two pixels of the plot. */
function differences(seen: ReadonlyMap<string, number>, wanted: ReadonlyMap<string, number>) {
  const highest = Math.max(...wanted.values())
  const keys = new Set([...seen.keys(), ...wanted.keys()])
  return [...keys].flatMap((key) => {
    const [is, should] = [seen.get(key) ?? NaN, wanted.get(key) ?? NaN]
    return Math.abs(is - should) / highest < 0.02 ? [] : [{ key, is, should }]
  })
}

/** The bars of a chart as hour, name in the legend and amount. */
function readBars(chart: ReactElement): Map<string, number> {
  const markup = renderToStaticMarkup(chart)
  const marks = marksIn(markup)
  const { hourAt, amountAt } = axesOf(marks)
  const legend = legendOf(markup)
  const patterns = [...markup.matchAll(/<pattern id="([^"]+)".*?fill:([^";]+)/g)]
  const hatches = new Map(patterns.map(([, id = '', color = '']) => [`url(#${id})`, color]))
  return new Map(
    bars(marks).map((bar) => {
      const [, fill = ''] = /fill:([^;"]+)/.exec(bar.attributes['style'] ?? '') ?? []
      const top = amountAt(number(bar, 'y'))
      const bottom = amountAt(number(bar, 'y') + number(bar, 'height'))
      const name = legend.get(hatches.get(fill) ?? fill) ?? `no name for ${fill}`
      return [`${hourAt(number(bar, 'x'))} ${name}`, top - bottom]
    }),
  )
}

test('each bar of Decisions is the requests of a model in its hour', () => {
  const seen = readBars(<DecisionsChart {...{ report, range }} />)
  const wanted = summed(rows, ({ modelUsed }) => ({ [modelUsed ?? 'No answer']: 1 }))
  expect(differences(seen, wanted)).toEqual([])
})

test('each bar of Tokens is those of prompts or answers in its hour', () => {
  const seen = readBars(<TokensChart {...{ report, range }} />)
  const wanted = summed(rows, (row) => ({
    Prompt: row.reportedPromptTokens ?? 0,
    Answer: row.reportedCompletionTokens ?? 0,
  }))
  expect(differences(seen, wanted)).toEqual([])
})

test('each bar of Carbon is the estimate of its hour', () => {
  const marks = marksIn(renderToStaticMarkup(<CarbonChart {...{ report, range }} />))
  // The lower plot is per 1,000 tokens.
  const isPlot = ({ tag, attributes }: Mark) => tag === 'svg' && attributes['width'] === '900'
  const upper = marks.slice(0, marks.findLastIndex(isPlot))
  const { hourAt, amountAt } = axesOf(upper)
  const estimates = bars(upper).filter(({ attributes }) => attributes['opacity'] === undefined)
  const seen = new Map(
    estimates.map((bar) => [`${hourAt(number(bar, 'x'))} grams`, amountAt(number(bar, 'y'))]),
  )
  expect(
    differences(
      seen,
      summed(rows, ({ carbonGrams }) => ({ grams: carbonGrams })),
    ),
  ).toEqual([])
})

test('each bar of Outcomes is as tall within its lane as its count', () => {
  const marks = marksIn(renderToStaticMarkup(<OutcomesChart {...{ report, range }} />))
  const { hourAt } = axesOf(marks)
  const lanes = marks.filter(({ attributes }) => attributes['class'] === 'stroke-line')
  const names = marks.filter(({ tag, text }) => tag === 'tspan' && !text.startsWith('max '))
  const most = marks.filter(({ tag, text }) => tag === 'tspan' && text.startsWith('max '))
  const [first = 0, second = 0] = lanes.map((line) => number(line, 'y1'))
  const seen = new Map(
    bars(marks).map((bar) => {
      const bottom = number(bar, 'y') + number(bar, 'height')
      const lane = lanes.findIndex((line) => Math.abs(number(line, 'y1') - bottom) < 1)
      const highest = amountOf(most[lane]?.text.replace('max ', '') ?? '')
      const name = names[lane]?.text ?? ''
      return [
        `${hourAt(number(bar, 'x'))} ${name}`,
        (number(bar, 'height') / (second - first - 6)) * highest,
      ] as const
    }),
  )
  const outcomes = new Map([
    [200, 'Answered'],
    [400, 'Refused'],
    [429, 'Over limit'],
    [502, 'Failed'],
  ])
  expect(
    differences(
      seen,
      summed(rows, (row) => ({ [outcomes.get(row.status) ?? '']: 1 })),
    ),
  ).toEqual([])
})

/** The points of a line as the axis beside it names them. */
function readLine(marks: readonly Mark[], index: number): { atMs: number; amount: number }[] {
  const [canvas] = canvases
  if (!canvas) throw new Error('there is no line')
  const { frame, scale, data } = canvas
  const { amountAt } = axesOf(marks)
  return data.times.flatMap((atMs, at) => {
    const value = data.values[index]?.[at] ?? null
    const y = value === null ? null : frame.top + (1 - scale.position(value)) * frame.height
    return y === null ? [] : { atMs, amount: amountAt(y) }
  })
}

test('each point of Spend is all that was spent until then', () => {
  const chart = <SpendChart {...{ report, range }} models={[]} nowMs={range.toMs} />
  const points = readLine(marksIn(renderToStaticMarkup(chart)), 0)
  const totalUsd = rows.reduce((usd, { costNanoUsd }) => usd + costNanoUsd / 1e9, 0)
  expect(points).toHaveLength(25)
  for (const { atMs, amount } of points) {
    const before = rows.filter(({ startedAtMs }) => startedAtMs < atMs)
    const usd = before.reduce((sum, { costNanoUsd }) => sum + costNanoUsd / 1e9, 0)
    expect(Math.abs(amount - usd) / totalUsd).toBeLessThan(0.01)
  }
})

test.each([
  ['p95', 0, 0.95],
  ['p50', 1, 0.5],
])('each point of %s in Latency is that of the answers in its hour', (_name, line, share) => {
  const points = readLine(
    marksIn(renderToStaticMarkup(<LatencyChart {...{ report, range }} />)),
    line,
  )
  expect(points).toHaveLength(22)
  for (const { atMs, amount } of points) {
    const times = rows
      .filter((row) => row.status < 400 && hourOf(row) + hourMs / 2 === atMs)
      .map(({ latencyMs }) => latencyMs)
      .toSorted((a, b) => a - b)
    const wanted = times[Math.ceil(times.length * share) - 1] ?? NaN
    expect(Math.abs(amount - wanted) / wanted).toBeLessThan(0.02)
  }
})

test('each bubble of Cost and latency has the colour, the size and the height of its model', () => {
  const markup = renderToStaticMarkup(<CostLatencyChart {...{ report, range }} />)
  const elsewhere = legendOf(renderToStaticMarkup(<DecisionsChart {...{ report, range }} />))
  const legend = legendOf(markup)
  const seen = marksIn(markup)
    .filter(({ tag, attributes }) => tag === 'circle' && 'style' in attributes)
    .map((bubble) => {
      const [, color = ''] = /fill:([^;"]+)/.exec(bubble.attributes['style'] ?? '') ?? []
      expect(elsewhere.get(color)).toBe(legend.get(color))
      return { model: legend.get(color), bubble }
    })
  const wanted = report.groups.filter(({ name }) => name !== '')
  const most = Math.max(...wanted.map(({ figures }) => figures.requests))
  expect(seen).toHaveLength(wanted.length)
  for (const { name, figures } of wanted) {
    const bubble = seen.find(({ model }) => model === name)?.bubble
    expect(Number(bubble?.attributes['r'])).toBeCloseTo(5 + 13 * Math.sqrt(figures.requests / most))
  }
  const byHeight = seen.toSorted((a, b) => number(b.bubble, 'cy') - number(a.bubble, 'cy'))
  const byTime = wanted.toSorted(
    (a, b) => (a.figures.latencyMs?.p95 ?? 0) - (b.figures.latencyMs?.p95 ?? 0),
  )
  expect(byHeight.map(({ model }) => model)).toEqual(byTime.map(({ name }) => name))
})

test('unsaved settings are one level in Latency, and no line over time', () => {
  const p95Factor = 1.5
  const draft: DraftOverlay = {
    replayed: 8,
    costFactor: 1,
    p95Factor,
    carbonFactor: 1,
    shares: new Map(),
    chosenMost: null,
  }
  const marksWith = (overlay: DraftOverlay | null) =>
    marksIn(renderToStaticMarkup(<LatencyChart {...{ report, range }} draft={overlay} />))
  const levels = marksWith(draft).flatMap(({ attributes }) => {
    const [, y, width] = /^M[\d.]+ ([\d.]+)h([\d.]+)$/.exec(attributes['d'] ?? '') ?? []
    return attributes['class'] === 'stroke-ink' ? [{ y: Number(y), width: Number(width) }] : []
  })
  const [canvas] = canvases
  if (!canvas) throw new Error('there is no line')
  const { frame, scale, data } = canvas
  const share = scale.position((report.total.latencyMs?.p95 ?? NaN) * p95Factor)
  expect(levels).toEqual([
    { y: expect.closeTo(frame.top + (1 - share) * frame.height, 0), width: frame.width },
  ])
  marksWith(null)
  expect(data).toEqual(canvases[1]?.data)
})
