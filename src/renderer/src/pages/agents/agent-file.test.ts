import { expect, test } from 'vitest'
import { duplicateOf, templateOf } from './agent-file.ts'
import { smallestAgent } from './step-templates.ts'

const nameOf = (source: string) => /^name: (.*)$/m.exec(source)?.[1]

test('a new agent starts with a name that no agent has', () => {
  expect(templateOf([])).toBe(smallestAgent)
  expect(nameOf(templateOf(['my-agent']))).toBe('my-agent-2')
  expect(nameOf(templateOf(['my-agent', 'my-agent-2']))).toBe('my-agent-3')
})

test('each copy of an agent has a name of its own', () => {
  expect(nameOf(duplicateOf(smallestAgent, []))).toBe('my-agent-copy')
  expect(nameOf(duplicateOf(smallestAgent, ['my-agent-copy', 'my-agent-copy-2']))).toBe(
    'my-agent-copy-3',
  )
})
