import { expect, test } from 'vitest'
import { readDraft, type DraftGraph } from './draft.ts'
import { layOut, layersOf, neighbourOf, type Layout, type PlacedStep } from './graph-layout.ts'

/** `a; b<a; c<a` are three steps, of which two need the first. */
function graphOf(text: string): DraftGraph {
  const steps = text.split('; ').map((part) => {
    const [id = '', needs = ''] = part.split('<')
    return { id, type: 'prompt', needs: needs === '' ? [] : needs.split(','), user: 'x' }
  })
  return draftGraph(steps)
}

function draftGraph(steps: unknown): DraftGraph {
  const draft = readDraft(JSON.stringify({ steps }))
  if (!draft) throw new Error('no draft')
  return draft
}

function placed(layout: Layout, id: string): PlacedStep {
  const found = layout.steps.find(({ step }) => step.id === id)
  if (!found) throw new Error(`no ${id}`)
  return found
}

test('a step is below all its dependencies, by its longest path', () => {
  const layers = layersOf(graphOf('a; b<a; c<b; d<a,c').steps)

  expect(Object.fromEntries(layers)).toEqual({ a: 0, b: 1, c: 2, d: 3 })
})

test('steps in a cycle are drawn, too', () => {
  const layout = layOut(graphOf('a<b; b<a; c<nobody'))

  expect(layout.steps).toHaveLength(3)
})

test('parallel steps are side by side, and nothing overlaps', () => {
  const { steps } = layOut(graphOf('a; b<a; c<a; d<b,c,a'))
  const overlapping = steps.flatMap((one, index) =>
    steps.slice(index + 1).filter((other) => overlap(one, other)),
  )

  expect(placed(layOut(graphOf('a; b<a; c<a; d<b,c,a')), 'b').y).toBe(steps[2]?.y)
  expect(overlapping).toEqual([])
})

test('a line over several layers passes beside the steps between', () => {
  const layout = layOut(graphOf('a; b<a; c<a,b'))
  const b = placed(layout, 'b')
  const long = layout.lines.find((line) => line.length > 2) ?? []

  expect(layout.lines).toHaveLength(3)
  expect(long.some(({ x }) => x > b.x && x < b.x + b.width)).toBe(true)
  expect(
    long
      .filter(({ y }) => y >= b.y && y <= b.y + b.height)
      .every(({ x }) => x < b.x || x > b.x + b.width),
  ).toBe(true)
})

test('inner steps are drawn inside their step', () => {
  const inner = [{ id: 'inner', type: 'prompt', user: 'x' }]
  const layout = layOut(
    draftGraph([
      { id: 'first', type: 'prompt', user: 'x' },
      {
        id: 'choice',
        type: 'branch',
        needs: ['first'],
        cases: [
          { when: 'input == "a"', steps: [{ id: 'deep', type: 'map', over: 'x', steps: inner }] },
        ],
        else: [{ id: 'other', type: 'prompt', user: 'x' }],
      },
    ]),
  )
  const choice = placed(layout, 'choice')

  expect(choice.frames.map(({ label }) => label)).toEqual(['if input == "a"', 'else'])
  for (const id of ['deep', 'inner', 'other'])
    expect(contains(choice, placed(layout, id))).toBe(true)
  expect(contains(placed(layout, 'deep'), placed(layout, 'inner'))).toBe(true)
  expect(overlap(placed(layout, 'deep'), placed(layout, 'other'))).toBe(false)
})

test('arrow keys lead to the nearest step in their direction', () => {
  const { steps, ...layout } = layOut(graphOf('a; b<a; c<a; d<b,c'))
  const at = (id: string) => placed({ steps, ...layout }, id)
  const id = (from: string, direction: 'up' | 'down' | 'left' | 'right') =>
    neighbourOf(steps, at(from), direction)?.step.id ?? null

  expect([
    id('a', 'down'),
    id('b', 'right'),
    id('c', 'left'),
    id('c', 'down'),
    id('d', 'up'),
  ]).toEqual(['b', 'c', 'b', 'd', 'b'])
  expect(id('d', 'down')).toBeNull()
})

test('an agent without steps gives an empty drawing', () => {
  expect(layOut({ path: ['steps'], label: '', steps: [] })).toEqual({
    width: 0,
    height: 0,
    steps: [],
    lines: [],
  })
})

interface Box {
  x: number
  y: number
  width: number
  height: number
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

function contains(a: Box, b: Box): boolean {
  return (
    a.x <= b.x && a.y <= b.y && a.x + a.width >= b.x + b.width && a.y + a.height >= b.y + b.height
  )
}
