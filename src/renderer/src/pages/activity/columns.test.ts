import { expect, test } from 'vitest'
import { fittingColumns, tableWidth, usualColumns } from './columns.tsx'

test.each([520, 700, 986, 1200])('the columns of a table of %i px fit into it', (widthPx) => {
  const columns = fittingColumns(widthPx)
  expect(tableWidth(columns) * 16).toBeLessThanOrEqual(widthPx)
  expect(columns).toEqual(expect.arrayContaining(['model', 'status']))
})

test('a window of 1280 px has room for cost, time and source, a wide one for all usual columns', () => {
  expect(fittingColumns(986)).toEqual(
    expect.arrayContaining(['router', 'cost', 'latency', 'source']),
  )
  expect(fittingColumns(2000)).toEqual(usualColumns)
})
