import { expect, test } from 'vitest'
import { ToolNames } from './tool-names.ts'

const tool = (name: string, namespace: string | null = null) => ({
  name,
  namespace,
  kind: 'function' as const,
})

test('a name in a namespace comes back as it was', () => {
  const names = new ToolNames()

  expect(names.add(tool('find', 'crm'))).toBe('crm__find')
  expect(names.find('crm__find')).toEqual(tool('find', 'crm'))
})

test('names that would be the same stay different', () => {
  const names = new ToolNames()
  const flat = [names.add(tool('a__b')), names.add(tool('b', 'a'))]

  expect(new Set(flat).size).toBe(2)
  expect(flat.map((name) => names.find(name ?? ''))).toEqual([tool('a__b'), tool('b', 'a')])
})

test('a long name is cut to 64 characters, the same in each turn, and two stay different', () => {
  const [one, other] = ['x'.repeat(70), `${'x'.repeat(69)}y`].map((name) => tool(name, 'space'))
  const first = [one, other].map((each) => new ToolNames().flatOf(each ?? tool('')))
  const again = [one, other].map((each) => new ToolNames().flatOf(each ?? tool('')))

  expect(first).toEqual(again)
  expect(first[0]).toHaveLength(64)
  expect(first[0]).not.toBe(first[1])
})

test('a tool that is offered twice is offered once', () => {
  const names = new ToolNames()

  expect([names.add(tool('a')), names.add(tool('a'))]).toEqual(['a', null])
})

test('a call that comes back without its namespace is of the only tool with its name', () => {
  const names = new ToolNames()
  for (const [name, namespace] of [
    ['exec', 'functions'],
    ['wait', 'functions'],
    ['wait', 'agents'],
  ] as const) {
    names.add(tool(name, namespace))
  }

  expect(names.flatOf({ name: 'exec', namespace: null })).toBe('functions__exec')
  expect(names.flatOf({ name: 'wait', namespace: null })).toBe('wait')
})
