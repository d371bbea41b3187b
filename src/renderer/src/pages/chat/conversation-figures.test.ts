import { expect, test } from 'vitest'
import { message } from '../../../../../test/renderer-harness/scenes.ts'
import type { AnswerMeta } from '../../../../shared/chat/conversations.ts'
import { comparedModels, conversationFigures } from './conversation-figures.ts'

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

const plain = { limitUsd: undefined, saving: null }

test('the figures of a conversation are the sums over its answers', () => {
  const answers = [
    answer('openai:a', { costUsd: 0.01, latencyMs: 1_000 }),
    answer('openai:b', { costUsd: 0.02, latencyMs: 2_000 }),
    answer('openai:b', { costUsd: 0.03, latencyMs: 3_000 }),
  ]
  const question = message('user', 'question')
  let parentId = question.id
  const path = answers.flatMap((one) => {
    const next = { ...message('user', 'next'), parentId: one.id }
    const placed = [{ ...one, parentId }, next]
    parentId = next.id
    return placed
  })
  expect(conversationFigures([question, ...path], plain)).toEqual([
    { name: 'Answers', text: '3' },
    { name: 'Cost', text: '$0.06' },
    { name: 'Mean latency', text: '2 s' },
    { name: 'CO₂e, estimated', text: '≈ 0.75 g' },
    { name: 'openai:b', text: '2 answers, $0.05' },
    { name: 'openai:a', text: '1 answer, $0.01' },
  ])
})

test('one answer has no figures besides its chip', () => {
  expect(conversationFigures([answer('openai:a', { costUsd: 1, latencyMs: 1 })], plain)).toEqual([])
})

test('a limit, a saving and other branches are figures too', () => {
  const question = message('user', 'question')
  const before = { ...answer('openai:a', { costUsd: 0.01, latencyMs: 1_000 }), isSetAside: true }
  const kept = answer('openai:b', { costUsd: 0.02, latencyMs: 1_000 })
  const answers = [before, kept].map((one) => ({ ...one, parentId: question.id }))
  const saving = { model: 'openai:c', alwaysUsd: 0.5, savedUsd: 0.47, bucketsUsd: [] }
  expect(conversationFigures([question, ...answers], { limitUsd: 1, saving })).toMatchObject([
    { name: 'Answers' },
    { name: 'Cost', text: '$0.03 of $1.00' },
    { name: 'Of it on other branches', text: '$0.01' },
    { name: 'Saved against always openai:c', text: '$0.47' },
    { name: 'Mean latency' },
    { name: 'CO₂e, estimated' },
    { name: 'openai:a' },
    { name: 'openai:b' },
  ])
})

test('a conversation that cost more than the dearest model would have saved nothing', () => {
  const answers = ['openai:a', 'openai:b'].map((model) =>
    answer(model, { costUsd: 1, latencyMs: 1_000 }),
  )
  const saving = { model: 'openai:c', alwaysUsd: 1.2, savedUsd: -0.8, bucketsUsd: [] }
  const names = conversationFigures(answers, { ...plain, saving }).map(({ name }) => name)
  expect(names).not.toContain('Saved against always openai:c')
})

test('a conversation is compared with the models that answered, also under another router', () => {
  const answers = [message('user', 'question'), answer('openai:a', { costUsd: 1, latencyMs: 1 })]
  const compared = comparedModels(answers, { models: ['openai:b'] })
  expect([...compared]).toEqual(['openai:b', 'openai:a'])
})
