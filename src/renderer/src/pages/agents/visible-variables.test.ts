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

test('a template can use the outputs of all steps before its own, and no others', () => {
  expect(draft && variablesOf(draft, ['steps', 0, 'user'])).toEqual(['input', 'messages'])
  expect(draft && variablesOf(draft, ['steps', 2, 'user'])).toEqual([
    'input',
    'messages',
    'steps.a.output',
    'steps.a.json',
  ])
})

test('a step in a map can also use the item', () => {
  expect(draft && variablesOf(draft, ['steps', 3, 'steps', 0, 'user'])).toEqual([
    'input',
    'messages',
    'steps.a.output',
    'steps.a.json',
    'steps.c.output',
    'item',
    'index',
  ])
})

test('only the judge of a judge can use the candidates', () => {
  const judge = readDraft(JSON.stringify({ steps: [{ id: 'best', type: 'judge' }] }))

  expect(judge && variablesOf(judge, ['steps', 0, 'judge', 'user'])).toContain('candidates')
  expect(judge && variablesOf(judge, ['steps', 0, 'candidate', 'user'])).not.toContain('candidates')
})
