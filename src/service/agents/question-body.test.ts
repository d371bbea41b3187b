import { expect, test } from 'vitest'
import { questionBody } from './question-body.ts'

test('a model for embeddings beside a model with JSON schemas changes nothing', () => {
  const question = {
    ask: {},
    system: null,
    user: 'Give a number.',
    json: { schema: { type: 'object' } },
    stepId: 'one',
  }
  const chat = { id: 'p:chat', capabilities: ['json' as const] }
  const vectors = { id: 'p:vectors', capabilities: ['embeddings' as const] }

  expect(questionBody(question, [chat, vectors])).toEqual(questionBody(question, [chat]))
})
