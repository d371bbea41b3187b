import { expect, test } from 'vitest'
import { questionBody } from './question-body.ts'

test('a model for embeddings beside a model with JSON schemas changes nothing', () => {
  const question = {
    ask: { user: 'Give a number.' },
    system: null,
    user: 'Give a number.',
    json: { schema: { type: 'object' }, read: () => ({ ok: true as const, value: null }) },
    stepId: 'one',
    refused: null,
    repeats: null,
    limits: [],
    onText: null,
  }
  const chat = { id: 'p:chat', capabilities: ['json' as const] }
  const vectors = { id: 'p:vectors', capabilities: ['embeddings' as const] }

  expect(questionBody(question, [chat, vectors])).toEqual(questionBody(question, [chat]))
})
