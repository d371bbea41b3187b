/** Tests which keys are accepted, and until when. */
import { beforeAll, describe, expect, test } from 'vitest'
import { endOfKey } from '../../src/shared/app/key-rotation.ts'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import { asLateAsSockets } from '../http/as-late-as-sockets.ts'
import { errorOf } from '../error-of.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

let running: TestService
const atEnd = endOfGroup()
beforeAll(async () => {
  running = await startTestService({}, atEnd)
})

describe('a key', () => {
  const wellFormedButUnknown = 'mp_0000000000000000000000000000002C8GjS'

  test.each([
    ['missing', ''],
    ['without Bearer', wellFormedButUnknown],
    ['malformed', 'Bearer mp_short'],
    ['with a wrong checksum', 'Bearer mp_000000000000000000000000000000000000'],
    ['unknown', `Bearer ${wellFormedButUnknown}`],
  ])('%s is 401, also for a router that does not exist', async (_name, authorization) => {
    const path = `${running.origin}/api/router/router_0000000000000000/chat/completions`
    const answer = await running.post(path, hello, { headers: { authorization } })

    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(await errorOf(answer)).toEqual({
      status: 401,
      message: 'The API key is missing or invalid.',
      type: 'authentication_error',
      param: null,
      code: 'invalid_api_key',
    })
  })

  test('that is revoked is a 401 on the next request', async () => {
    const { post, service } = await startTestService()
    const [key] = await service.dashboard.apiKeys()

    const before = await post('chat/completions', hello)
    await service.dashboard.revokeApiKey(key?.id ?? '')
    const after = await post('chat/completions', hello)

    expect([before.status, after.status]).toEqual([200, 401])
  })

  test('shows a request as its last use as soon as the ledger has it', async () => {
    const { post, service, ledger } = await startTestService()

    await post('chat/completions', hello)
    const [row] = await ledger(1)
    const [key] = await service.dashboard.apiKeys()

    expect(key?.lastUsedAtMs).toBe(row?.startedAtMs)
    expect(key?.lastUsedAtMs).toEqual(expect.any(Number))
  })

  test('that is revoked during a stream ends the stream within a second', async () => {
    const slow = { text: 'word '.repeat(500), chunks: 500, chunkDelayMs: 20 }
    const { post, service, ledger } = await startTestService({ models: { 'fake-model': slow } })
    const [key] = await service.dashboard.apiKeys()

    const answer = await post('chat/completions', { ...hello, stream: true })
    await service.dashboard.revokeApiKey(key?.id ?? '')
    const tooLate = asLateAsSockets(1_000).then(() => 'a second has passed')
    const body = await Promise.race([answer.text(), tooLate])
    expect(body).toContain('"code":"invalid_api_key"')
    expect(body.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(await ledger(1)).toMatchObject([{ status: 401, errorCode: 'invalid_api_key' }])
  })

  test('that expired is a 401', async () => {
    let nowMs = Date.now()
    const { post, service } = await startTestService({ service: { now: () => nowMs } })
    const { key } = await service.dashboard.createApiKey({
      name: 'short',
      routers: 'all',
      expiresAtMs: nowMs + 60_000,
    })
    const headers = { authorization: `Bearer ${key}` }

    const before = await post('chat/completions', hello, { headers })
    nowMs += 61_000
    const after = await post('chat/completions', hello, { headers })

    expect([before.status, after.status]).toEqual([200, 401])
  })

  test('that has expired stays expired when the clock goes back, also after a restart', async () => {
    const dataDir = temporaryFolder()
    const startMs = Date.now()
    let nowMs = startMs
    const { post, service } = await startTestService({ service: { dataDir, now: () => nowMs } })
    const { dashboard } = service
    const rights = { name: 'short', routers: 'all' as const }
    const { key, apiKey } = await dashboard.createApiKey({ ...rights, expiresAtMs: nowMs + 60_000 })
    const rotated = await dashboard.createApiKey(rights)
    await dashboard.rotateApiKey(rotated.apiKey.id, 30_000)
    const ask = async (each: string) => {
      const headers = { authorization: `Bearer ${each}` }
      return (await post('chat/completions', hello, { headers })).status
    }
    nowMs += 61_000
    const ended = async () =>
      (await dashboard.apiKeys()).filter((each) => each.revokedAtMs !== null)
    await expect.poll(async () => (await ended()).length).toBe(2)
    nowMs = startMs

    expect([await ask(key), await ask(rotated.key)]).toEqual([401, 401])
    const stored = (await dashboard.apiKeys()).find(({ id }) => id === apiKey.id)
    expect(stored && endOfKey(stored, nowMs)).toBe('expired')
    await service.close()
    const { configuration, close } = await openStorage({ dataDir })
    const kept = (await configuration.read()).apiKeys.filter((each) => endOfKey(each, startMs))
    await close()
    expect(kept.map(({ id }) => id).toSorted()).toEqual([apiKey.id, rotated.apiKey.id].toSorted())
  })
})
