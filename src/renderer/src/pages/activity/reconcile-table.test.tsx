import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ReconciledLine, Reconciliation } from '../../../../shared/requests/reconciliation.ts'
import { ReconcileTable, ReconcileTotals } from './reconcile-table.tsx'

const tokens = { input: 9, cacheRead: 0, cacheWrite: 0, output: 9 }

/** A line of a bill that has only tokens, without a known price. */
function lineOf(causes: ReconciledLine['causes']): ReconciledLine {
  return {
    day: '2026-11-02',
    model: 'new',
    theirs: { usd: 0, requests: 1, tokens },
    isPriced: true,
    ours: { usd: 0, requests: 1, tokens },
    differenceUsd: 0,
    causes,
    unexplainedUsd: 0,
  }
}

function textOf(line: ReconciledLine): string {
  const result: Reconciliation = {
    timeZone: 'UTC',
    from: line.day,
    to: line.day,
    files: [],
    lines: [line],
    total: { theirsUsd: 0, oursUsd: 0, differenceUsd: 0, unexplainedUsd: 0 },
    prices: [],
    problems: [],
    problemCount: 0,
    duplicates: 0,
    offsetMinutes: null,
  }
  const markup = renderToStaticMarkup(
    <>
      <ReconcileTotals result={result} />
      <ReconcileTable result={result} />
    </>,
  )
  return markup.replaceAll(/<[^>]+>/g, ' ')
}

test('tokens that differ without a known price are shown, without a difference of $0', () => {
  const text = textOf(lineOf([{ kind: 'noPrice', usd: 0 }]))

  expect(text).toMatch(/new\s+–\s+\$0\s+–\s+–\s+Tokens differ, but no price is known\s+$/)
  expect(text).toContain('No price is known for 1 line below.')
  expect(text).not.toContain('agree')
})

test('lines without a difference are not shown, and nothing is said of a price', () => {
  const text = textOf(lineOf([]))

  expect(text).toContain('The bill and Modelport agree on every day.')
  expect(text).not.toContain('price')
})
