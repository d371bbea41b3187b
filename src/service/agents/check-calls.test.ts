/** Calls between agents: every path is checked, and the work does not grow with the number of paths. */
import { expect, test } from 'vitest'
import { agentOf } from '../../../test/agents/start-engine.ts'
import { brokenCaller, issuesOfCalls } from './check-calls.ts'
import type { CompiledAgent } from './compiled.ts'

/** An agent with the maximum number of calls to the other one. */
function callerOf(name: string, other: string): CompiledAgent {
  const calls = Array.from({ length: 49 }, (_, index) => ({
    id: `c${index}`,
    type: 'agent',
    agent: other,
  }))
  const end = { id: 'end', type: 'text', text: 'x', needs: calls.map(({ id }) => id) }
  return agentOf({ name, steps: [...calls, end] })
}

test('each agent is looked up once per depth, however often it is called', () => {
  const last = agentOf({ name: 'e', steps: [{ id: 't', type: 'text', text: 'x' }] })
  const callers = [callerOf('b', 'c'), callerOf('c', 'd'), callerOf('d', 'e'), last]
  let lookups = 0
  const issues = issuesOfCalls(callerOf('a', 'b'), (slug) => {
    lookups += 1
    return callers.find(({ definition }) => definition.name === slug) ?? null
  })

  expect(issues).toEqual([])
  expect(lookups).toBe(4)
})

test('a caller that was broken before does not stop a change', () => {
  const caller = callerOf('a', 'b')
  const known = agentOf({ name: 'b', steps: [{ id: 't', type: 'text', text: 'x' }] })

  const none = { before: () => null, after: () => null }
  expect(brokenCaller([caller], none)).toBeNull()
  expect(brokenCaller([caller], { before: () => known, after: () => known })).toBeNull()
  expect(brokenCaller([caller], { before: () => known, after: () => null })).toBe(
    'agent:a would no longer run: there is no agent "b"',
  )
})

test('each call that leads back to the caller is an error', () => {
  const back = callerOf('b', 'a')
  const issues = issuesOfCalls(callerOf('a', 'b'), () => back)

  expect(issues).toHaveLength(49)
  expect(issues[0]?.message).toBe('agents call each other in a cycle: a → b → a')
})
