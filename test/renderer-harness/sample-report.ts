/** Small reports for tests of charts. */
import type { UsageFigures, UsageReport } from '../../src/shared/requests/usage.ts'

export function emptyFigures(over: Partial<UsageFigures> = {}): UsageFigures {
  return {
    requests: 0,
    answered: 0,
    fallbacks: 0,
    limited: 0,
    refused: 0,
    aborted: 0,
    failed: 0,
    estimated: 0,
    costUsd: 0,
    carbonGrams: 0,
    carbonLowGrams: 0,
    carbonHighGrams: 0,
    tokens: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 },
    latencyMs: null,
    firstTokenMs: null,
    ...over,
  }
}

/** A report by group. Durations of totals are those of the last group that has some. */
export function sampleReport(
  points: readonly { startMs: number; groups: Record<string, UsageFigures> }[],
): UsageReport {
  const names = [...new Set(points.flatMap(({ groups }) => Object.keys(groups)))]
  const groups = names.map((name) => ({
    name,
    figures: added(points.flatMap((point) => point.groups[name] ?? [])),
  }))
  return {
    total: added(points.flatMap((point) => Object.values(point.groups))),
    groups: groups.toSorted((a, b) => b.figures.requests - a.figures.requests),
    points: points.map((point) => ({ ...point, total: added(Object.values(point.groups)) })),
  }
}

function added(all: readonly UsageFigures[]): UsageFigures {
  const sum = emptyFigures()
  for (const figures of all) {
    for (const [name, value] of Object.entries(figures)) {
      if (typeof value === 'number') {
        const before: unknown = Reflect.get(sum, name)
        Reflect.set(sum, name, Number(before) + value)
      }
    }
    for (const name of ['input', 'cacheRead', 'cacheWrite', 'output', 'reasoning'] as const)
      sum.tokens[name] += figures.tokens[name]
    sum.latencyMs = figures.latencyMs ?? sum.latencyMs
    sum.firstTokenMs = figures.firstTokenMs ?? sum.firstTokenMs
  }
  return sum
}
