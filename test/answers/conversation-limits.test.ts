/** What a conversation sets for its own requests: a limit, and whether cheap or good models are preferred. */
import { expect, test } from 'vitest'
import type { Instructions } from '../../src/shared/chat/conversations.ts'
import { startTestService, type TestService } from '../test-service.ts'

const two = { models: { first: { text: 'One.' }, second: { text: 'Two.' } } }

function send(
  { service, routerId }: TestService,
  conversationId: string | null,
  parameters: Instructions['parameters'] = {},
) {
  const instructions = { systemPrompt: '', parameters }
  return service.conversations.send({ conversationId, routerId, text: 'Which?', instructions })
}

async function price(
  { service }: TestService,
  { id, usdPerMtok, quality }: { id: string; usdPerMtok: number; quality: number },
): Promise<void> {
  await service.dashboard.saveModel({
    id,
    inputUsdPerMtok: usdPerMtok,
    outputUsdPerMtok: usdPerMtok,
    contextTokens: 100_000,
    capabilities: [],
    quality,
  })
}

test('a conversation at its limit sends nothing until the limit is raised', async () => {
  const running = await startTestService(two)
  const { conversations } = running.service
  await price(running, { id: 'fake:first', usdPerMtok: 10, quality: 0.7 })
  const { conversation, finished } = await send(running, null, { limitUsd: 1 })
  const { answer } = await finished
  const spentUsd = answer.meta?.costUsd ?? 0
  expect(spentUsd).toBeGreaterThan(0)
  const { id } = conversation
  await conversations.change(id, { parameters: { limitUsd: spentUsd } })

  const { routerId } = running
  const again = { conversationId: id, routerId, model: null, isBeside: false }
  const edited = { conversationId: id, routerId, questionId: answer.parentId ?? '', text: 'Why?' }
  const refusal = /^This conversation has cost \$.*Raise the limit in its instructions\.$/
  await expect(send(running, id)).rejects.toThrow(refusal)
  await expect(conversations.again(again)).rejects.toThrow(refusal)
  await expect(conversations.edit(edited)).rejects.toThrow(refusal)
  await expect(
    conversations.preview({ conversationId: id, routerId, text: 'Why?' }),
  ).rejects.toThrow(refusal)
  expect(running.fake.requests).toHaveLength(1)
  expect(await conversations.messages(id)).toHaveLength(2)

  await conversations.change(id, { parameters: { limitUsd: 1 } })
  const next = await send(running, id)
  expect((await next.finished).answer.text).toBe('One.')
})

test('a conversation that prefers the best or the cheapest model gets it', async () => {
  const running = await startTestService({ ...two, router: { strategy: 'cost_optimized' } })
  await price(running, { id: 'fake:first', usdPerMtok: 1, quality: 0.7 })
  await price(running, { id: 'fake:second', usdPerMtok: 10, quality: 0.9 })
  const answeredBy = async (parameters: Instructions['parameters']) => {
    const { finished } = await send(running, null, parameters)
    return (await finished).answer.meta?.modelUsed
  }
  expect(await answeredBy({ preference: 'best' })).toBe('fake:second')
  expect(await answeredBy({ preference: 'cheapest' })).toBe('fake:first')
})
