import { expect, test } from 'vitest'
import { chatModels } from './models.ts'

test('models for embeddings are not offered for chats, and unknown models are', () => {
  const known = [
    { id: 'p:chat', capabilities: ['tools' as const] },
    { id: 'p:vectors', capabilities: ['embeddings' as const] },
  ]

  expect(chatModels(['p:chat', 'p:vectors', 'p:new'], known)).toEqual(['p:chat', 'p:new'])
})
