/** One entry in the table of settings is enough for the window. */
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { settingEntries, settings } from '../../../../shared/app/settings.ts'
import { SettingsCard } from './setting-fields.tsx'

test.each([
  [{ schema: z.boolean(), default: true }, 'type="checkbox"'],
  [{ schema: z.int().min(1), default: 7, unit: 'days' }, 'Fade after (days)'],
  [
    {
      schema: z.enum(['soft', 'hard']),
      default: 'soft',
      choices: [{ value: 'soft', label: 'Soft' }],
    },
    'type="radio"',
  ],
])('a setting added to the table has its control in the window: %o', (field, control) => {
  const added = { ...field, card: 'learning', label: 'Fade after' } as const
  settingEntries.push(['added' as never, added])
  Object.assign(settings, { added })
  onTestFinished(() => {
    settingEntries.pop()
    Reflect.deleteProperty(settings, 'added')
  })
  const values = Object.fromEntries(settingEntries.map(([name, each]) => [name, each.default]))
  const shown = renderToStaticMarkup(<SettingsCard card="learning" settings={values as never} />)
  expect(shown).toContain('Fade after')
  expect(shown).toContain(control)
})
