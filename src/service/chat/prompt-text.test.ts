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
