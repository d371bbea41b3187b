import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { agentDefinitionSchema } from '../../../../shared/agents/agent.ts'
import { readDraft, stepTypes, type DraftGraph, type DraftStep } from './draft.ts'
import {
  addCase,
  addStep,
  moveStep,
  removeStep,
  renameStep,
  setElse,
  setField,
} from './edit-definition.ts'

const source = `# Two steps, for a newsletter.
name: two-steps
steps:
  - id: summary # short
    type: prompt
    user: "Summarise: {{ input }}"
  - id: translation
    type: prompt
    needs: [summary]
    user: |
      Translate into French:
      {{ steps.summary.output }}
`

function stepsOf(text: string): readonly DraftStep[] {
  return readDraft(text)?.graph.steps ?? []
}

/** Errors in the form. The tests themselves specify which steps lead to the last one. */
function faultsOf(text: string): string[] {
  const { error } = agentDefinitionSchema.safeParse(parse(text))
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
}

describe('setting a field', () => {
  test('changes only its line', () => {
    expect(setField(source, ['steps', 0, 'user'], 'Shorten: {{ input }}')).toBe(
      source.replace('Summarise:', 'Shorten:'),
    )
  })

  test('keeps a text of several lines readable', () => {
    const changed = setField(source, ['description'], 'One.\nTwo.')

    expect(changed).toContain('description: |-\n  One.\n  Two.\n')
  })

  test('removes an empty field, and objects that become empty', () => {
    const limited = setField(source, ['limits', 'max_steps'], 5)

    expect(limited).toContain('limits:\n  max_steps: 5\n')
    expect(setField(limited, ['limits', 'max_steps'], undefined)).toBe(source)
  })

  test.each([
    'a: b',
    ' begins blank',
    'ends blank ',
    '- x',
    '# y',
    '"',
    "it's",
    '\n',
    'a\n\n b\n\n',
    '\ttab',
    '{{ x }}',
    '123',
    'null',
    'é😀',
    'a\n  # b',
  ])('returns %j as it was typed', (text) => {
    const changed = setField(source, ['steps', 1, 'user'], text)

    expect(stepsOf(changed)[1]?.fields['user']).toBe(text)
    expect(stepsOf(setField(changed, ['steps', 1, 'user'], `${text}x`))[1]?.fields['user']).toBe(
      `${text}x`,
    )
  })

  test('does not change a text that cannot be parsed', () => {
    expect(setField('name: [', ['name'], 'x')).toBe('name: [')
  })

  test('works on JSON', () => {
    const json = '{"name":"a","steps":[{"id":"p","type":"prompt","user":"x"}]}'

    expect(stepsOf(setField(json, ['steps', 0, 'user'], 'y'))[0]?.fields['user']).toBe('y')
  })
})

describe('a step', () => {
  test.each(stepTypes.filter((type) => type !== 'agent'))(
    'of type %s can be added without an error',
    (type) => {
      const added = addStep(source, ['steps'], type)

      expect(faultsOf(added.source)).toEqual([])
      expect(added.path).toEqual(['steps', 2])
      expect(stepsOf(added.source)[2]).toMatchObject({ type, needs: ['translation'] })
      expect(added.source).toContain('# short')
    },
  )

  test('can be the first of an agent without steps', () => {
    const { source: first } = addStep('name: new\n', ['steps'], 'prompt')

    expect(faultsOf(first)).toEqual([])
    expect(addStep(first, ['steps'], 'prompt').source).toContain('id: prompt_2')
  })

  test('leaves its dependencies to the next steps when it is removed', () => {
    const three = addStep(source, ['steps'], 'prompt').source
    const two = removeStep(three, ['steps', 1])

    expect(stepsOf(two).map(({ id, needs }) => [id, needs])).toEqual([
      ['summary', []],
      ['prompt', ['summary']],
    ])
  })

  test('swaps places with its neighbour, and stays at the ends', () => {
    const moved = moveStep(source, ['steps', 1], -1)

    expect(moved.path).toEqual(['steps', 0])
    expect(stepsOf(moved.source).map(({ id }) => id)).toEqual(['translation', 'summary'])
    expect(moveStep(source, ['steps', 0], -1)).toEqual({ source, path: ['steps', 0] })
  })

  test('is renamed everywhere', () => {
    const renamed = renameStep(source, ['steps', 0], 'short')

    expect(faultsOf(renamed)).toEqual([])
    expect(renamed).toContain('needs: [short]')
    expect(renamed).toContain('{{ steps.short.output }}')
    expect(renamed).not.toContain('steps.summary')
  })

  test('is renamed again after an invalid id', () => {
    const wrong = renameStep(source, ['steps', 0], 'a $& (b')
    const right = renameStep(wrong, ['steps', 0], 'short')

    expect(right).toBe(renameStep(source, ['steps', 0], 'short'))
  })

  test('is not confused with a step whose id begins with its own', () => {
    const other = setField(source, ['steps', 1, 'user'], '{{ steps.summary_2.output }}')

    expect(renameStep(other, ['steps', 0], 'short')).toContain('steps.summary_2.output')
  })
})

test('a branch gets more cases, and an else', () => {
  const branch = addStep(source, ['steps'], 'branch')
  const more = setElse(addCase(branch.source, branch.path), branch.path, true)

  expect(faultsOf(more)).toEqual([])
  expect(stepsOf(more)[2]?.graphs.map(({ label }) => label)).toEqual([
    'if input contains "?"',
    'if input contains "?"',
    'else',
  ])
  expect(stepsOf(setElse(more, branch.path, false))[2]?.graphs).toHaveLength(2)
})

test('a list that is not indented keeps its style', () => {
  const flat = 'name: a\nsteps:\n- id: p\n  type: prompt\n  user: x\n'

  expect(setField(flat, ['steps', 0, 'user'], 'y')).toBe(flat.replace('user: x', 'user: y'))
})

test('after 120 random changes, every id is unique and every dependency is in the same graph', () => {
  let text = source
  const chance = chances()
  for (let change = 0; change < 120; change += 1) text = changedByChance(text, chance)

  expect(text).toContain('# Two steps, for a newsletter.')
  const graphs = allGraphs(text)
  const ids = graphs.flatMap(({ steps }) => steps.map(({ id }) => id))
  expect(ids.length).toBeGreaterThan(5)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { steps } of graphs) {
    const known = steps.map(({ id }) => id)
    expect(steps.flatMap(({ needs }) => needs).filter((need) => !known.includes(need))).toEqual([])
  }
})

function allGraphs(text: string): DraftGraph[] {
  const of = (graph: DraftGraph): DraftGraph[] => [
    graph,
    ...graph.steps.flatMap((step) => step.graphs.flatMap(of)),
  ]
  const draft = readDraft(text)
  return draft ? of(draft.graph) : []
}

/** The same numbers on every run, each from 0 up to its limit. */
function chances(): (limit: number) => number {
  let state = 7
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}

function changedByChance(text: string, chance: (limit: number) => number): string {
  const graphs = allGraphs(text)
  const graph = graphs[chance(graphs.length)]
  const step = graph?.steps[chance(graph.steps.length)]
  const type = stepTypes[chance(stepTypes.length)]
  if (!graph || !step || !type) return addStep(text, ['steps'], 'prompt').source
  const changes = [
    () => addStep(text, graph.path, type).source,
    () => removeStep(text, step.path),
    () => moveStep(text, step.path, chance(2) === 0 ? -1 : 1).source,
    () => renameStep(text, step.path, `step_${chance(1_000_000)}`),
    () => setField(text, [...step.path, 'retries'], chance(5)),
  ]
  return changes[chance(changes.length)]?.() ?? text
}
