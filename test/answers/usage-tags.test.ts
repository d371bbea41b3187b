/** Tags of requests, which group usage by project or customer. */
import { expect, test } from 'vitest'
import { errorReply } from '../fake-provider.ts'
import { hello, startTestService } from '../test-service.ts'

test('the header is stored, wins over the tag of the key, and never reaches a provider', async () => {
  const { post, fake, ledger, service } = await startTestService()
  const { key } = await service.dashboard.createApiKey({
    name: 'tagged',
    routers: 'all',
    tag: 'blog',
  })

  await post('chat/completions', hello)
  await post('chat/completions', hello, { headers: { 'x-modelport-tag': 'shop' } })
  const authorization = `Bearer ${key}`
  await post('chat/completions', hello, { headers: { authorization } })
  await post('chat/completions', hello, { headers: { authorization, 'x-modelport-tag': 'shop' } })

  const rows = await ledger(4)
  expect(rows.map(({ tag }) => tag ?? '').toSorted()).toEqual(['', 'blog', 'shop', 'shop'])
  expect(JSON.stringify(fake.requests)).not.toContain('shop')
})

test('a row names the model that failed when another one answered', async () => {
  const { post, ledger } = await startTestService({
    models: { broken: { reply: errorReply(500) }, works: {} },
  })
  await post('chat/completions', hello)
  await post('chat/completions', { ...hello, model: 'fake:works' })

  const rows = await ledger(2)
  const fallbacks = rows.flatMap(({ fallbackFrom, fallbackReason }) =>
    fallbackFrom === null ? [] : [[fallbackFrom, fallbackReason]],
  )
  expect(fallbacks).toEqual([['fake:broken', 'unavailable']])
})
