import { threadOf } from '../../../../../test/sample-conversations.ts'
import { expect, test } from 'vitest'
import { message } from '../../../../../test/renderer-harness/scenes.ts'
import { exportConversation } from './export-conversation.ts'

const conversation = {
  id: 'c',
  title: 'What is a lighthouse?',
  titleSource: 'person' as const,
  routerId: 'router_a',
  agent: null,
  systemPrompt: '',
  parameters: {},
  folderId: null,
  pinnedAtMs: null,
  createdAtMs: 1,
  updatedAtMs: 2,
  source: null,
  preset: null,
}
const meta = {
  requestId: 'r',
  modelUsed: 'openai:gpt-5',
  costUsd: 0.0021,
  latencyMs: 812,
  carbonGrams: 0.27,
  routerDecision: 'balanced',
  fallback: null,
} as const
const messages = threadOf([
  message('user', 'What is a lighthouse?'),
  { ...message('assistant', 'A rock.'), isSetAside: true },
  { ...message('assistant', 'A **tower**.'), meta },
])

test('a conversation becomes Markdown with the kept answers and their figures', () => {
  expect(exportConversation(conversation, messages, 'markdown')).toEqual({
    name: 'what-is-a-lighthouse.md',
    type: 'text/markdown',
    text: [
      '# What is a lighthouse?',
      '## Question',
      'What is a lighthouse?',
      '## Answer',
      'A **tower**.',
      '*openai:gpt-5 · $0.0021 · 812 ms · ≈ 0.27 g*\n',
    ].join('\n\n'),
  })
})

test('JSON has every answer', () => {
  const { text } = exportConversation(conversation, messages, 'json')
  expect(JSON.parse(text)).toEqual({ modelport: 1, ...conversation, messages })
})

test('a JSON line has the kept answers and the system prompt', () => {
  const prompted = { ...conversation, systemPrompt: 'Be brief.' }
  const { name, text } = exportConversation(prompted, messages, 'lines')
  expect(name).toBe('what-is-a-lighthouse.jsonl')
  expect(text.endsWith('}\n')).toBe(true)
  expect(JSON.parse(text)).toEqual({
    title: 'What is a lighthouse?',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is a lighthouse?' },
      { role: 'assistant', content: 'A **tower**.' },
    ],
  })
})

test('a title without letters still names a file', () => {
  const { name } = exportConversation({ ...conversation, title: '???' }, messages, 'json')
  expect(name).toBe('conversation.json')
})

test('an answer that follows no question is exported without one', () => {
  const greeted = threadOf([message('user', ''), message('assistant', 'Welcome.')])
  const markdown = exportConversation(conversation, greeted, 'markdown').text
  expect(markdown).toBe('# What is a lighthouse?\n\n## Answer\n\nWelcome.\n')
  const line: unknown = JSON.parse(exportConversation(conversation, greeted, 'lines').text)
  expect(line).toMatchObject({ messages: [{ role: 'assistant', content: 'Welcome.' }] })
})
