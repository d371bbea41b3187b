import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { agentDefinitionSchema } from '../../../../shared/agents/agent.ts'
import { allSteps, readDraft } from './draft.ts'
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

test.each(agentExamples)('$name: the graph shows every step', ({ source }) => {
  const draft = readDraft(source)
  const { steps } = agentDefinitionSchema.parse(parse(source))

  expect(draft && allSteps(draft).every(({ type }) => type !== null)).toBe(true)
  expect(draft && layOut(draft).steps.length).toBeGreaterThanOrEqual(steps.length)
})
