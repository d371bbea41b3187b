import { expect, test } from 'vitest'
import { sampleToolStep as step } from '../../../test/sample-conversations.ts'
import { answerMessages, withoutCalls } from './conversation-turns.ts'

test('calls stand where they were made, with their results', () => {
  const toolSteps = [
    step({ wire: { extra_content: { signature: 's' } } }),
    step({ id: 'call_2' }),
    step({ id: 'call_3', requestId: 'b', textEnd: 5 }),
  ]
  const messages = answerMessages({ text: 'I see\n\nDone.', toolSteps })
  expect(messages.map(({ role, content }) => [role, content])).toEqual([
    ['assistant', 'I see'],
    ['tool', 'abc'],
    ['tool', 'abc'],
    ['assistant', null],
    ['tool', 'abc'],
    ['assistant', 'Done.'],
  ])
  expect(messages[0]?.tool_calls).toMatchObject([
    { id: 'call_1', extra_content: { signature: 's' }, function: { name: 'Files__read' } },
    { id: 'call_2' },
  ])
  expect(withoutCalls({ messages }).messages).toEqual([
    { role: 'assistant', content: 'I see' },
    { role: 'assistant', content: 'Done.' },
  ])
})

test('a call that a crash cut off says that it may have run', () => {
  const [, result] = answerMessages({
    text: '',
    toolSteps: [step({ outcome: 'running', textEnd: 0 })],
  })
  expect(result?.content).toContain('ask the user before you repeat it')
})
