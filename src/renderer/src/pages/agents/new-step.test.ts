import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { newStep, smallestAgent } from './new-step.ts'

const first = { ids: [], before: '' }
const second = { ids: ['draft'], before: 'draft' }

test('a new prompt answers the input, or continues with the step before', () => {
  expect(newStep('prompt', first)['user']).toBe('{{ input }}')
  expect(newStep('prompt', second)['user']).toBe('{{ steps.draft.output }}')
})

test('a new loop improves its own last output', () => {
  const user =
    'Improve this text: {% if iteration == 1 %}{{ input }}{% else %}{{ previous }}{% endif %}'
  expect(newStep('loop', first)['steps']).toMatchObject([{ user }])
})

test('a new agent answers its input', () => {
  expect(parseDocument(smallestAgent).toJS()).toMatchObject({ steps: [{ user: '{{ input }}' }] })
})
