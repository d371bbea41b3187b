import { expect, test } from 'vitest'
import { fillVariables, variablesOf } from './prompt-variables.ts'

test('each variable is named once, in the order of the text', () => {
  expect(variablesOf('To {{language}}: {{ the text }} in {{language}}')).toEqual([
    'language',
    'the text',
  ])
  expect(variablesOf('{ a } {{}} {{{b}}}')).toEqual(['b'])
})

test('values stand in place of the variables, as they are', () => {
  const values = { language: '$& {{a}}' }
  expect(fillVariables('To {{ language }}: {{text}}', values)).toBe('To $& {{a}}: {{text}}')
})
