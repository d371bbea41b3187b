/** docs/cli.md lists the options of a router as the table of its fields has them. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { routerFieldEntries, type RouterField } from '../../src/shared/routers/router-fields.ts'

const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')

test('docs/cli.md has each option of a router with its values and its meaning', () => {
  const [, section = ''] = page.split('\n## router: how a model is chosen\n')
  const [ours = ''] = section.split('\n## ')
  const lines = ours.split('\n').filter((line) => line.startsWith('| `--'))
  expect(lines.map(cellsOf)).toEqual(
    routerFieldEntries.flatMap(([, field]) => (field.option === undefined ? [] : [rowOf(field)])),
  )
})

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

/** `--tier`, its values and what it does. */
function rowOf({ option = '', help = '', helpOff, choices, kind }: RouterField): string[] {
  const [flag = '', ...placeholder] = option.split(' ')
  const named =
    kind === 'choice' ? choices?.map(String) : placeholder.join(' ').slice(1, -1).split('|')
  const values = (named ?? []).filter(Boolean).map((value) => `\`${value}\``)
  const off = helpOff === undefined ? '' : `; with \`no\`: ${helpOff}`
  return [`\`${flag}\``, values.join(', '), `${help}${off}`]
}
