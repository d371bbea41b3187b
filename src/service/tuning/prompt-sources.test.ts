import { sampleMessage, threadOf } from '../../../test/sample-conversations.ts'
import { expect, test } from 'vitest'
import { promptOfRequest, promptsOfConversation, withoutDuplicates } from './kept-prompts.ts'
import { readPromptFile } from './read-prompt-file.ts'

function faultsOf(name: string, text: string) {
  const read = readPromptFile(name, text)
  return read.ok ? [] : read.faults.map(({ line, field }) => `${line} ${field}`)
}

function promptsOf(name: string, text: string) {
  const read = readPromptFile(name, text)
  return read.ok ? read.prompts.map(({ messages }) => messages.map(({ content }) => content)) : null
}

test('reads plain text, JSON lines and a JSON list', () => {
  expect(promptsOf('a.txt', 'One?\n\nTwo?\r\n')).toEqual([['One?'], ['Two?']])
  expect(promptsOf('a.jsonl', '{"prompt":"One?","system":"Be brief."}\n"Two?"')).toEqual([
    ['Be brief.', 'One?'],
    ['Two?'],
  ])
  expect(promptsOf('a.json', '\uFEFF[{"prompt":"One?","reference":"1"}]')).toEqual([['One?']])
  expect(promptsOf('stdin', '{"prompt":"One?"}')).toEqual([['One?']])
})

test('names the line and the field of each problem', () => {
  expect(faultsOf('a.jsonl', '{"prompt":"x"}\n{"prompt":""}\n{"promt":"x"}\nno')).toEqual([
    '2 prompt',
    '3 prompt',
    '4 ',
  ])
  const list = '[\n  {"prompt": "x"},\n\n  {"prompt": "x", "check": {"type": "choice"}}\n]'
  expect(faultsOf('a.json', list)).toEqual(['4 check.expected'])
  const schema = { type: 'json_schema', schema: { type: 'nothing' } }
  expect(faultsOf('a.jsonl', JSON.stringify({ prompt: 'x', check: schema }))).toEqual([
    '1 check.schema',
  ])
  expect(faultsOf('a.txt', ' \n ')).toEqual(['1 '])
  expect(faultsOf('a.json', '{"a": [')).toEqual(['1 '])
})

test('lists at most twenty problems of a file', () => {
  expect(faultsOf('a.jsonl', '{"prompt":5}\n'.repeat(50))).toHaveLength(20)
})

const content = {
  requestId: '1',
  routerId: 'r',
  startedAtMs: 0,
  isRequestCut: false,
  answer: null,
  isAnswerCut: false,
}

test('uses logged requests that are only text', () => {
  const text = [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Why?' }] },
  ]
  const logged = (body: object, isRequestCut = false) =>
    promptOfRequest({ ...content, isRequestCut, request: JSON.stringify(body) })?.messages ?? null
  expect(logged({ messages: text, temperature: 0.2 })).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Why?' },
  ])
  expect(logged({ messages: text }, true)).toBeNull()
  expect(logged({ messages: text, tools: [{ type: 'function' }] })).toBeNull()
  expect(logged({ messages: [{ role: 'user', content: [{ type: 'image_url' }] }] })).toBeNull()
  expect(logged({ messages: [...text, { role: 'assistant', content: 'Because.' }] })).toBeNull()
})

test('takes each question of a conversation with what was said before it', () => {
  const say = (role: 'user' | 'assistant', text: string, isSetAside = false) => ({
    ...sampleMessage({ id: text, role, text }),
    isSetAside,
  })
  const thread = threadOf([
    say('user', 'One?'),
    say('assistant', 'Unused.', true),
    say('assistant', '1'),
    { ...say('user', 'Failed?'), state: 'failed' as const },
    say('user', 'Two?'),
  ])
  const prompts = promptsOfConversation(thread).map(({ messages }) =>
    messages.map(({ content: text }) => text),
  )
  expect(prompts).toEqual([['One?'], ['One?', '1', 'Two?']])
})

test('leaves out prompts that differ in case, spaces, punctuation and numbers only', () => {
  const prompts = [
    'What is 2 + 2?',
    'what is  3 + 5',
    'What is two?',
    '什么是 2',
    '什么是 3？',
  ].map((text) => ({
    messages: [{ role: 'user' as const, content: text }],
    check: null,
    reference: null,
    domain: null,
    grade: null,
  }))
  expect(withoutDuplicates(prompts).map(({ messages: [message] }) => message?.content)).toEqual([
    'What is 2 + 2?',
    'What is two?',
    '什么是 2',
  ])
})
