/** Tests which form a chart has: a sentence, a bar or a drawing. */
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { emptyFigures, sampleReport } from '../../../../test/renderer-harness/sample-report.ts'
import { ChartCard } from './chart-card.tsx'
import { costLatencyMap } from './cost-latency.ts'
import { LimitChart } from './limit-chart.tsx'
import { utcDay } from './limit.ts'
import { bubblesOf, mapFrame } from './map-frame.ts'

const row = (key: number) => ({ key: String(key), cells: [String(key), '7'] })

test.each([
  [1, false],
  [2, false],
  [3, true],
])('a chart of %i points is drawn: %s', (points, isDrawn) => {
  const rows = Array.from({ length: points }, (_, key) => row(key))
  const text = { sentence: 'The sentence.', table: { columns: ['Time', 'Count'], rows } }
  const shown = renderToStaticMarkup(
    <ChartCard title="Chart" question="Why?" text={text} legend="The legend">
      The drawing
    </ChartCard>,
  )
  expect(shown.match(/The sentence\./g)).toHaveLength(1)
  expect(shown.includes('The drawing')).toBe(isDrawn)
  expect(shown.includes('The legend')).toBe(isDrawn)
  expect(shown).toContain('Show as table')
})

const hourMs = 3_600_000
const dailyLimitWith = (requests: number) => {
  const report = sampleReport(
    [1, 2, 3].map((hour) => ({
      startMs: hour * hourMs,
      groups: { '': emptyFigures({ requests: requests / 3 }) },
    })),
  )
  const range = utcDay(12 * hourMs)
  return renderToStaticMarkup(
    <LimitChart {...{ report, range }} dailyLimit={100} usedToday={requests} nowMs={12 * hourMs} />,
  )
}

test('a limit is a bar until half of it is used', () => {
  expect(dailyLimitWith(48)).toContain('<progress')
  expect(dailyLimitWith(48)).toContain('48 of 100 requests used today')
  expect(dailyLimitWith(48)).not.toContain('<figure')
  expect(dailyLimitWith(60)).toContain('<figure')
})

test('the largest bubble has its name, also where there is no room beside it', () => {
  const name = 'anthropic:a-model-with-a-name-that-is-too-long-for-the-map'
  const of = (costUsd: number, requests: number) =>
    emptyFigures({
      requests,
      answered: requests,
      costUsd,
      tokens: { input: 1_000, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 },
      latencyMs: { mean: 1, p50: 1, p95: 500, p99: 600, max: 700 },
    })
  const groups = { [name]: of(2, 9), 'b:small': of(1, 1) }
  const map = costLatencyMap(sampleReport([{ startMs: 0, groups }]), {})
  const [largest] = bubblesOf(map, mapFrame({ width: 400, height: 260 }))
  expect(largest?.point.model).toBe(name)
  expect(largest?.label).toMatchObject({ anchor: 'middle' })
})
