import { expect, test } from 'vitest'
import type { ChatMessage } from '../../../shared/chat/chat.ts'
import { TurnProgress } from './turn-progress.ts'

let ids = 0

/** A step that calls a tool, with the tool's result. */
function step(name: string, input: object, result = 'A line.'): ChatMessage[] {
  ids += 1
  const id = `call_${ids}`
  const call = {
    id,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(input) },
  }
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: result },
  ]
}

const reads = (nth: number) => step('Read', { file: nth })
const edits = () => step('Edit', { file: 1 })
const tests = (result: string) => step('Bash', { command: 'cd app && npm  test' }, result)
const person = (content: string): ChatMessage => ({ role: 'user', content })

function times<Value>(count: number, of: (nth: number) => Value[]): Value[] {
  return Array.from({ length: count }, (_, nth) => of(nth)).flat()
}

function progressOf(messages: ChatMessage[], command: string | null = null): TurnProgress {
  const progress = new TurnProgress()
  progress.read({ body: { messages } }, command)
  return progress
}

test.each([
  ['nothing yet', [person('Go.')], []],
  [
    'four errors of ten',
    [person('Go.'), ...times(4, (nth) => step('Read', { nth }, 'Error: no'))],
    ['errors'],
  ],
  ['three errors', [person('Go.'), ...times(3, (nth) => step('Read', { nth }, 'Error: no'))], []],
  ['a call that came again', [person('Go.'), ...reads(1), ...reads(2), ...reads(1)], ['repeat']],
  ['a call again after an edit', [person('Go.'), ...reads(1), ...edits(), ...reads(1)], []],
  ['fifteen edits', [person('Go.'), ...times(15, edits)], ['edits']],
  ['fifty-one steps', [person('Go.'), ...times(51, reads)], ['long']],
  ['fifty steps', [person('Go.'), ...times(50, reads)], []],
  ['the turn before', [person('Go.'), ...times(60, reads), person('And now?')], []],
])('%s', (_what, messages, marks) => {
  expect(progressOf(messages).marks).toEqual(marks)
})

test('reading request after request tells the same as reading the last one alone', () => {
  const messages = [person('Go.'), ...times(20, edits), ...reads(1), ...tests('2 failed')]
  const progress = new TurnProgress()
  const isNew = messages.map((_, nth) =>
    progress.read({ body: { messages: messages.slice(0, nth + 1) } }, 'npm test'),
  )

  expect(isNew).toEqual([true, ...messages.slice(1).map(() => false)])
  const alone = progressOf(messages, 'npm test')
  expect([progress.marks, progress.hasFailedCheck]).toEqual([alone.marks, alone.hasFailedCheck])
})

test.each([
  ['fails after an edit', [...edits(), ...tests('2 failed')], true],
  ['fails before any edit', [...tests('2 failed'), ...edits()], false],
  ['passes', [...edits(), ...tests('3 passed')], false],
  ['failed, then passes', [...edits(), ...tests('2 failed'), ...tests('3 passed')], false],
  ['ends with an error', [...edits(), ...tests('Exit code 2')], true],
  [
    'is another command',
    [...edits(), ...step('Bash', { command: 'npm test:e2e' }, '2 failed')],
    false,
  ],
])('a named command that %s', (_what, steps, hasFailed) => {
  expect(progressOf([person('Go.'), ...steps], 'npm test').hasFailedCheck).toBe(hasFailed)
})

test('reminders of the program begin no turn', () => {
  const reminder = person('<system-reminder>Be brief.</system-reminder>')
  const messages = [person('Go.'), ...times(15, edits), reminder]

  expect(progressOf(messages).marks).toEqual(['edits'])
})

test('a turn that its client names goes on after a compaction', () => {
  const asker = {
    client: 'claude-code',
    session: 's',
    agent: null,
    parentAgent: null,
    agentType: null,
    turn: 'turn-1',
    kind: 'main',
  } as const
  const progress = new TurnProgress()
  progress.read({ asker, body: { messages: [person('Go.'), ...times(10, edits)] } }, null)
  progress.read({ asker, body: { messages: [person('Summary.'), ...times(5, edits)] } }, null)

  expect(progress.marks).toEqual(['edits'])
})

test('each mark is told once a turn', () => {
  const progress = progressOf([person('Go.'), ...times(15, edits)])

  expect([progress.newMarks(), progress.newMarks()]).toEqual([['edits'], []])
})
