import { expect, test } from 'vitest'
import type { ChatMessage } from '../../shared/chat/chat.ts'
import { promptText } from './prompt-text.ts'

const user = (content: ChatMessage['content']): ChatMessage => ({ role: 'user', content })

test.each<[string, ChatMessage[], { lastUser: string; system: string }]>([
  ['the question alone', [user('Why?')], { lastUser: 'Why?', system: '' }],
  [
    'the last question and the instructions, without the messages between',
    [
      { role: 'system', content: 'Be brief.' },
      user('Why?'),
      { role: 'assistant', content: 'Because.' },
      user('Why so?'),
      { role: 'tool', content: '42', tool_call_id: 'call_1' },
    ],
    { lastUser: 'Why so?', system: 'Be brief.' },
  ],
  [
    'a developer’s instructions, and the text parts',
    [
      { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
      user([
        { type: 'text', text: 'What is' },
        { type: 'image_url', image_url: { url: 'data:' } },
        { type: 'text', text: 'this?' },
      ]),
    ],
    { lastUser: 'What is\nthis?', system: 'Be brief.' },
  ],
  [
    'empty without a question',
    [{ role: 'assistant', content: null }],
    { lastUser: '', system: '' },
  ],
])('is %s', (_what, messages, expected) => {
  expect(promptText({ messages })).toEqual(expected)
})

const reminder = '<system-reminder>\nToday is Tuesday.\n</system-reminder>'
const parts = (...texts: string[]) => user(texts.map((text) => ({ type: 'text', text })))

test.each<[string, Parameters<typeof promptText>[1], ChatMessage[], string]>([
  ['a reminder', null, [user(`${reminder}\nFix it.`)], 'Fix it.'],
  ['several reminders', null, [user(`${reminder}Fix${reminder} it.${reminder}`)], 'Fix it.'],
  [
    'a message of reminders alone',
    null,
    [user('Fix it.'), { role: 'assistant', content: 'Done.' }, parts(reminder, reminder)],
    'Fix it.',
  ],
  [
    'a command',
    null,
    [user('<command-name>/fix</command-name>\n<command-args>3</command-args>'), user('Fix 3.')],
    'Fix 3.',
  ],
  [
    'Claude Code’s surroundings',
    'claude-code',
    [parts('Your folder is /a.', 'Fix it.')],
    'Fix it.',
  ],
  [
    'what Codex sends as the user',
    'codex',
    [
      user('Fix it.'),
      user('# AGENTS.md instructions for /a\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>'),
      user('<environment_context>\n<cwd>/a</cwd>\n</environment_context>'),
    ],
    'Fix it.',
  ],
  [
    'files that opencode adds',
    'opencode',
    [parts('Fix @a.ts', 'Called the Read tool with the following input: {}', 'const a = 1')],
    'Fix @a.ts',
  ],
])('the task is read without %s', (_what, client, messages, expected) => {
  expect(promptText({ messages }, client).lastUser).toBe(expected)
})

test('a reminder at either end of a long text is taken out', () => {
  const material = '<p> '.repeat(20_000)
  const messages = [user(`${reminder}${material}${reminder}Sum it up.`)]

  expect(promptText({ messages }).lastUser).toBe(`${material}Sum it up.`)
})

test.each(['Why is <b> bold?', 'What does <system-reminder> mean?', '  two  spaces  '])(
  'the words of a person stay: %s',
  (words) => {
    expect(promptText({ messages: [user(words)] }).lastUser).toBe(words)
  },
)

test.each<[Parameters<typeof promptText>[1], string, string]>([
  ['claude-code', 'x-anthropic-billing-header: cc_version=1\nBe brief.', 'Be brief.'],
  ['opencode', 'Be brief.<env>\n/a\n</env>', 'Be brief.'],
  ['codex', 'You are Codex.', ''],
  [null, 'Use <env>A</env>.', 'Use <env>A</env>.'],
])('instructions of %s are read without what is the program’s own', (client, content, expected) => {
  const messages: ChatMessage[] = [{ role: 'system', content }, user('Why?')]

  expect(promptText({ messages }, client).system).toBe(expected)
})
