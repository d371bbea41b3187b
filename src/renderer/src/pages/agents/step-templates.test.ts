import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { agentDefinitionSchema } from '../../../../shared/agents/agent.ts'
import { readDraft, stepTypes } from './draft.ts'
import { smallestAgent, stepInsertion } from './step-templates.ts'

function inserted(source: string, type: (typeof stepTypes)[number], at = ''): string {
  const draft = readDraft(source)
  if (!draft) throw new Error('not YAML')
  const insertion = stepInsertion(source, draft, { type, caret: source.indexOf(at) })
  return source.slice(0, insertion.at) + insertion.text + source.slice(insertion.at)
}

test.each(stepTypes)('an agent with a new step of type %s is valid', (type) => {
  const [once, alone] = [inserted(smallestAgent, type), inserted('name: a\n', type)]

  for (const text of [once, alone, inserted(once, type), inserted(JSON.stringify(json), type)]) {
    expect(agentDefinitionSchema.safeParse(parse(text)).error).toBeUndefined()
  }
})

const json = { name: 'a', steps: [{ id: 'p', type: 'prompt', user: 'x' }] }

test('a new step continues with the last one of the list around the caret', () => {
  const looped = inserted(smallestAgent, 'loop')
  const inner = inserted(looped, 'prompt', 'type: prompt\n        user')

  expect(readDraft(inner)?.steps[1]?.graphs[0]?.steps).toMatchObject([
    { id: 'part' },
    { id: 'prompt', needs: ['part'] },
  ])
  expect(inner).toContain(`
      - id: prompt
        type: prompt
        needs: [part]
        user: '{{ steps.part.output }}'`)
})

test('a new step keeps comments and the texts of the other steps', () => {
  const source = smallestAgent.replace('type: prompt', 'type: prompt # short')

  expect(inserted(source, 'prompt').startsWith(source.trimEnd())).toBe(true)
})
