import { describe, expect, test } from 'vitest'
import { suggestionsAt } from './suggestions.ts'

const names = {
  routers: [{ id: 'router_1', name: 'Everyday' }],
  models: ['local:small', 'team:large'],
  agents: ['cascade'],
}

const steps = `name: two-steps
steps:
  - id: summary
    type: prompt
    user: "Summarise: {{ input }}"
  - id: translation
    type: prompt
    needs: [summary]
`

/** What is suggested at `|`: the labels, or another property. */
function labelsAt(text: string): string[] {
  const caret = text.indexOf('|')
  const found = suggestionsAt(text.replace('|', ''), caret, names)
  return found?.options.map(({ label }) => label) ?? []
}

/** The text after the suggestion with this label. */
function accepted(text: string, label: string): string {
  const source = text.replace('|', '')
  const found = suggestionsAt(source, text.indexOf('|'), names)
  const insert = found?.options.find((option) => option.label === label)?.insert ?? '?'
  return source.slice(0, found?.from) + insert + source.slice(found?.to)
}

describe('names of fields', () => {
  test('of an empty definition', () => {
    expect(labelsAt('na|')).toEqual(['name', 'description', 'limits', 'steps'])
    expect(accepted('na|', 'name')).toBe('name: ')
  })

  test('that the object does not have yet', () => {
    expect(labelsAt('name: a\nst|')).not.toContain('name')
    expect(labelsAt('name: a\nst|')).toContain('steps')
  })

  test('of the type of a step', () => {
    expect(labelsAt(`${steps}    te|`)).toContain('temperature')
    expect(labelsAt(`${steps}    te|`)).not.toContain('max_iterations')
  })

  test('between other fields', () => {
    expect(labelsAt(steps.replace('    type', '    m|\n    type'))).toContain('max_tokens')
  })

  test('of an object on one line or in lines of its own', () => {
    const limits = ['max_cost_usd', 'max_steps', 'max_seconds']

    expect(labelsAt('limits: { m|')).toEqual(limits)
    expect(labelsAt('limits: { max_steps: 4, m| }')).toEqual(['max_cost_usd', 'max_seconds'])
    expect(labelsAt('limits:\n  m|')).toEqual(limits)
  })

  test('with the start of their value', () => {
    expect(accepted('lim|', 'limits')).toBe('limits:\n  ')
    expect(accepted('st|', 'steps')).toBe('steps:\n  - ')
    expect(accepted(`${steps}    sys|`, 'system')).toBe(`${steps}    system: `)
    expect(accepted('des|c: a', 'description')).toBe('description: a')
    expect(accepted('steps:\n  - id: a\n    type: prompt\n    ne|', 'needs')).toMatch(/needs: \[$/)
  })

  test('with their description, values and limits', () => {
    const found = suggestionsAt('limits:\n  m', 11, names)

    expect(found?.options[1]).toMatchObject({
      description: 'Requests to models',
      detail: 'integer · default 100 · at least 1 · at most 1000',
    })
  })
})

describe('values', () => {
  test('of a type', () => {
    expect(labelsAt('steps:\n  - id: a\n    type: |')).toContain('judge')
    expect(labelsAt('steps:\n  - type: judge\n    mode: p|')).toEqual(['pick', 'merge'])
  })

  test('that name routers, models and agents', () => {
    expect(accepted(`${steps}    router: E|`, 'Everyday')).toBe(`${steps}    router: router_1`)
    expect(labelsAt(`${steps}    model: "team:|"`)).toEqual([])
    expect(labelsAt(`${steps}    model: team:l|`)).toEqual(names.models)
    expect(labelsAt('steps:\n  - type: agent\n    agent: |')).toEqual(names.agents)
  })

  test('that name the other steps of the list', () => {
    expect(labelsAt(steps.replace('[summary]', '[s|'))).toEqual(['summary'])
  })
})

describe('variables', () => {
  test('of the steps before, in a template', () => {
    expect(labelsAt(`${steps}    user: "Translate: {{ st|"`)).toEqual([
      'input',
      'messages',
      'steps.summary.output',
    ])
  })

  test('in an expression', () => {
    expect(labelsAt(`${steps}    skip_if: steps.|`)).toContain('steps.summary.output')
  })
})

test('a new item of a list of steps can be a whole step', () => {
  expect(accepted(`${steps}    user: x\n  - |`, 'New step: Prompt')).toBe(`${steps}    user: x
  - id: prompt
    type: prompt
    needs: [translation]
    user: '{{ steps.translation.output }}'`)
})

test.each([
  ['a comment', '# na|'],
  ['a text', 'description: na|me'],
  ['a name without a value', 'name:|'],
  ['an unknown object', 'other:\n  na|'],
])('nothing is suggested in %s', (_where, text) => {
  expect(labelsAt(text)).toEqual([])
})
