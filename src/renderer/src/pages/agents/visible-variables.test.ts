import { expect, test } from 'vitest'
import { readDraft } from './draft.ts'
import { variablesOf } from './visible-variables.ts'

const draft = readDraft(
  JSON.stringify({
    steps: [
      { id: 'a', type: 'prompt', json_schema: { type: 'object' } },
      { id: 'b', type: 'prompt' },
      { id: 'c', type: 'prompt', needs: ['a'] },
      { id: 'list', type: 'map', needs: ['c'], steps: [{ id: 'inner', type: 'prompt' }] },
    ],
  }),
)

test('a template may name what its step waits for, however far back, and nothing beside it', () => {
  expect(draft && variablesOf(draft, ['steps', 0])).toEqual(['input'])
  expect(draft && variablesOf(draft, ['steps', 2])).toEqual([
    'input',
    'steps.a.output',
    'steps.a.json',
  ])
})

test('in a map there is the item besides what the map sees', () => {
  expect(draft && variablesOf(draft, ['steps', 3, 'steps', 0])).toEqual([
    'input',
    'steps.a.output',
    'steps.a.json',
    'steps.c.output',
    'item',
    'index',
  ])
})
