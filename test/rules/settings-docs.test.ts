/** docs/cli.md lists the settings as their table and `modelport settings` have them. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { SettingField } from '../../src/shared/app/settings-sections.ts'
import { settingEntries } from '../../src/shared/app/settings.ts'
import { settingWords } from '../../src/service/cli/settings.ts'

const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')

test('docs/cli.md lists each setting with its default and its meaning', () => {
  const [, section = ''] = page.split('\n## settings: ports, limits and retention\n')
  const [ours = ''] = section.split('\n## ')
  const rows = ours.split('\n').filter((line) => line.startsWith('| `'))
  const cells = rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  expect(cells).toEqual(settingEntries.map(([name, field]) => rowOf(name, field)))
})

function rowOf(name: string, field: SettingField): string[] {
  const hint = field.hint === undefined ? '' : `. ${field.hint}`
  return [`\`${name}\``, `\`${JSON.stringify(field.default)}\``, `${settingWords(field)}${hint}`]
}

test('the values of a choice are those that its setting accepts', () => {
  const choosing = settingEntries.filter(([, { choices }]) => choices !== undefined)
  expect(choosing.map(([name]) => name)).toEqual([
    'updates',
    'theme',
    'language',
    'density',
    'durability',
  ])
  for (const [, { schema, choices = [] }] of choosing) {
    expect(choices.map(({ value }) => schema.safeParse(value).success)).not.toContain(false)
    expect(schema.safeParse('other').success).toBe(false)
  }
})

test('a setting added to the table is explained by `modelport settings`', () => {
  const added = { schema: z.int(), default: 7, card: 'learning' } as const
  const words = settingWords({ ...added, label: 'Fade after', unit: 'days' })
  expect(words).toBe('Learning from answers: Fade after (days)')
})
