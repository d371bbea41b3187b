import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { agentDefinitionSchema } from '../../../../shared/agents/agent.ts'
import { allSteps, readDraft } from './draft.ts'
import { diffRows } from './diff-rows.ts'
import { setField } from './edit-definition.ts'
import { agentExamples } from './examples.ts'
import { layOut } from './graph-layout.ts'

test('there are six examples', () => {
  expect(agentExamples.map(({ name }) => name)).toEqual([
    'best-of-three',
    'cascade',
    'draft-critique-revise',
    'extract-to-json',
    'map-over-list',
    'summarise-then-translate',
  ])
})

test.each(agentExamples)('$name: setting a field changes only its line', ({ source }) => {
  const changed = setField(source, ['description'], 'Another one.')

  const rows = diffRows(source, changed).filter(({ kind }) => kind === 'changed')
  expect(rows.map(({ after }) => after?.text)).toEqual(['description: Another one.'])
})

test.each(agentExamples)('$name: the graph shows every step', ({ source }) => {
  const draft = readDraft(source)
  const { steps } = agentDefinitionSchema.parse(parse(source))

  expect(draft && allSteps(draft.graph).every(({ type }) => type !== null)).toBe(true)
  expect(draft && layOut(draft.graph).steps.length).toBeGreaterThanOrEqual(steps.length)
})
