import { expect, test } from 'vitest'
import { formatLocaleOf } from './format-locale.ts'

test.each([
  ['de-DE', 'en-US', 'de-DE'],
  ['system', 'fr-FR', 'fr-FR'],
  ['system', 'en-US-u-va-posix', 'en-US'],
  ['system', 'C', 'en-US'],
  ['system', '', 'en-US'],
] as const)('the setting %s on a system with “%s” formats as %s', (chosen, system, locale) => {
  expect(formatLocaleOf(chosen, system)).toBe(locale)
})
