import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DataTable } from './data-table.tsx'

const columns = [
  { name: 'Key' },
  { name: 'Spend', isFigure: true },
  { name: 'Actions', isActions: true },
]

test('columns with values can be sorted, actions have a name for screen readers only', () => {
  const rows = [{ key: 'a', cells: ['Laptop', '$1', 'Revoke'], values: ['Laptop', 1, null] }]
  const shown = renderToStaticMarkup(<DataTable label="Keys" columns={columns} rows={rows} />)
  expect(shown.match(/Sort by (Key|Spend|Actions)/g)).toEqual(['Sort by Key', 'Sort by Spend'])
  expect(shown).toContain('<span class="sr-only">Actions</span>')
  expect(shown).toMatch(/sticky right-0[^>]*>Revoke/)
  expect(shown).toMatch(/<th[^>]*scope="row"[^>]*>Laptop/)
})

test('a table without rows shows what stands in their place', () => {
  const shown = renderToStaticMarkup(
    <DataTable label="Keys" columns={columns} rows={[]} empty="No keys yet" />,
  )
  expect(shown).toBe('No keys yet')
})
