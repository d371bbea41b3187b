import { expect, test } from 'vitest'
import { message } from '../../../../../test/renderer-harness/scenes.ts'
import type { AnswerMeta } from '../../../../shared/chat/conversations.ts'
import { conversationFigures } from './conversation-figures.ts'

function answer(modelUsed: string, figures: Pick<AnswerMeta, 'costUsd' | 'latencyMs'>) {
  const meta: AnswerMeta = {
    requestId: modelUsed,
    modelUsed,
    carbonGrams: 0.25,
    routerDecision: 'priority',
    fallback: null,
    ...figures,
  }
  return { ...message('assistant', 'text'), meta }
}

test('the figures of a conversation are the sums over its answers', () => {
  const answers = [
    answer('openai:a', { costUsd: 0.01, latencyMs: 1_000 }),
    answer('openai:b', { costUsd: 0.02, latencyMs: 2_000 }),
    answer('openai:b', { costUsd: 0.03, latencyMs: 3_000 }),
  ]
  expect(conversationFigures([message('user', 'question'), ...answers])).toEqual([
    { name: 'Answers', text: '3' },
    { name: 'Cost', text: '$0.06' },
    { name: 'Mean latency', text: '2 s' },
    { name: 'CO₂e, estimated', text: '≈ 0.75 g' },
    { name: 'openai:b', text: '2' },
    { name: 'openai:a', text: '1' },
  ])
})

test('one answer has no figures besides its chip', () => {
  expect(conversationFigures([answer('openai:a', { costUsd: 1, latencyMs: 1 })])).toEqual([])
})
