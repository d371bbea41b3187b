/** How long a model may take to begin, to continue and to finish, and what happens when it takes longer. */
import { describe, expect, test } from 'vitest'
import { streamed, works } from './failing-models.ts'
import type { FakeModelScript } from '../fake-provider.ts'
import { hello, startTestService } from '../test-service.ts'

describe('time limits', () => {
  // Limits that a test does not set keep their defaults, so that a busy machine does not reach them.

  test.each([
    ['before its headers', 0],
    ['after the role-only chunk', 1],
  ])(
    'a stream that hangs %s falls back to the next model when the first token is late',
    async (_when, afterEvents) => {
      const hangs: FakeModelScript = { fault: { kind: 'hang', afterEvents } }
      const { post, fake, ledger } = await startTestService({
        models: { first: hangs, second: works },
        service: { timeLimits: { firstTokenMs: 1_000 } },
      })

      const startedAt = performance.now()
      const answer = await post('chat/completions', streamed)
      const body = await answer.text()
      const tookMs = performance.now() - startedAt

      expect(body).toContain('"model":"fake:second"')
      expect(body).not.toContain('"model":"fake:first"')
      expect(tookMs).toBeGreaterThan(995)
      expect(await ledger(1)).toMatchObject([{ status: 200, attempts: 2 }])
      await expect.poll(() => fake.requests[0]?.abortedAtMs).toEqual(expect.any(Number))
    },
  )

  test('a stream that hangs after its first delta ends with an error event', async () => {
    const first: FakeModelScript = {
      text: 'abcdef',
      chunks: 6,
      fault: { kind: 'hang', afterEvents: 3 },
    }
    const { post, fake, ledger } = await startTestService({
      models: { first, second: works },
      service: { timeLimits: { betweenChunksMs: 1_000 } },
    })

    const answer = await post('chat/completions', streamed)
    const body = await answer.text()

    expect(body).toContain('"content":"b"')
    expect(body).toMatch(
      /data: \{"error":\{"message":"[^"]*the next part of the answer took longer than 1 s[^\n]*\n\ndata: \[DONE\]\n\n$/,
    )
    expect(fake.requestCount()).toBe(1)
    expect(await ledger(1)).toMatchObject([{ status: 503, modelUsed: 'fake:first' }])
  })

  test('an answer in one piece has only the total limit', async () => {
    const slow: FakeModelScript = { text: 'Slow.', firstByteDelayMs: 400 }
    const hangs: FakeModelScript = { fault: { kind: 'hang', afterEvents: 0 } }
    const { post, fake } = await startTestService({
      models: { first: slow, second: works },
      service: { timeLimits: { firstTokenMs: 150, totalMs: 5_000 } },
    })

    const inTime = await post('chat/completions', hello)
    fake.setModel('first', hangs)
    const fallenOver = await post('chat/completions', hello)

    expect(await inTime.json()).toMatchObject({ model: 'fake:first' })
    expect(await fallenOver.json()).toMatchObject({ model: 'fake:second' })
  })

  test('a stream that never ends is aborted by the total limit', async () => {
    const endless: FakeModelScript = { text: 'x'.repeat(500), chunks: 500, chunkDelayMs: 20 }
    const { post } = await startTestService({
      models: { first: endless },
      service: { timeLimits: { totalMs: 1_000 } },
    })

    const answer = await post('chat/completions', streamed)

    expect(await answer.text()).toMatch(/the answer took longer than 1 s/)
  })
})
