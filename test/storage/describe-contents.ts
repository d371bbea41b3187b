import { expect, test } from 'vitest'
import type { Router } from '../../src/shared/entities.ts'
import type { RequestContent } from '../../src/shared/requests/content.ts'
import { routingSettingsSchema } from '../../src/shared/routers/routing-settings.ts'
import type { Storage } from '../../src/service/storage/storage.ts'
import { sampleApiKey, sampleDetail, sampleRecord, sampleRouter } from './samples.ts'

const dayMs = 86_400_000

function sampleContent(over: Partial<RequestContent> = {}): RequestContent {
  return {
    requestId: 'request-1',
    routerId: sampleRouter().id,
    startedAtMs: 1,
    request: '{"messages":[]}',
    isRequestCut: false,
    answer: '{"model":"openai:gpt-5","choices":[]}',
    isAnswerCut: true,
    ...over,
  }
}

function routerKeeping(contentDays: number | null, over: Partial<Router> = {}): Router {
  return sampleRouter({ ...over, routing: routingSettingsSchema.parse({ contentDays }) })
}

export function describeContents(storage: () => Storage): void {
  const kept = async (...ids: string[]) => {
    const found = await Promise.all(ids.map((id) => storage().contents.get(id)))
    return ids.filter((_, index) => found[index] !== null)
  }
  const save = (...contents: RequestContent[]) =>
    Promise.all(contents.map((content) => storage().contents.save(content)))

  test('stores the request, the answer and whether they were cut', async () => {
    await storage().configuration.insertRouter(routerKeeping(7))
    const unanswered = sampleContent({ requestId: 'request-2', answer: null, isRequestCut: true })
    await save(sampleContent(), unanswered)
    expect(await storage().contents.get('request-1')).toEqual(sampleContent())
    expect(await storage().contents.get('request-2')).toEqual(unanswered)
    expect(await storage().contents.get('request-3')).toBeNull()
  })

  test('stores no contents for routers that do not log them, or without a router', async () => {
    await storage().configuration.insertRouter(routerKeeping(null))
    await save(sampleContent(), sampleContent({ requestId: 'request-2', routerId: 'gone' }))
    expect(await kept('request-1', 'request-2')).toEqual([])
  })

  test('deletes a router’s contents when logging is switched off, and keeps those of others', async () => {
    const { configuration } = storage()
    const other = { id: 'router_0000000000000002' }
    await configuration.insertRouter(routerKeeping(7))
    await configuration.insertRouter(routerKeeping(7, other))
    await save(sampleContent(), sampleContent({ requestId: 'request-2', routerId: other.id }))
    await configuration.updateRouter(routerKeeping(30))
    expect(await kept('request-1', 'request-2')).toEqual(['request-1', 'request-2'])
    await configuration.updateRouter(routerKeeping(null))
    expect(await kept('request-1', 'request-2')).toEqual(['request-2'])
    // A request that was in progress when logging was switched off.
    await save(sampleContent({ requestId: 'request-3' }))
    expect(await kept('request-3')).toEqual([])
  })

  test('deletes them with their router', async () => {
    await storage().configuration.insertRouter(routerKeeping(7))
    await save(sampleContent())
    await storage().configuration.removeRouter(sampleRouter().id)
    expect(await kept('request-1')).toEqual([])
  })

  test('deletes them when an import switches logging off', async () => {
    const { configuration } = storage()
    await configuration.insertRouter(routerKeeping(7))
    await save(sampleContent())
    const none = { save: [], remove: [] }
    await configuration.apply({
      version: await configuration.version(),
      providers: none,
      models: none,
      routers: { save: [routerKeeping(null)], remove: [] },
      agents: none,
      settings: { save: {}, remove: [] },
    })
    expect(await kept('request-1')).toEqual([])
  })

  test('deletes contents older than their router’s days, in slices', async () => {
    const other = { id: 'router_0000000000000002' }
    await storage().configuration.insertRouter(routerKeeping(2))
    await storage().configuration.insertRouter(routerKeeping(9, other))
    const nowMs = 10 * dayMs
    const old = Array.from({ length: 50 }, (_, nth) =>
      sampleContent({ requestId: `old-${nth}`, startedAtMs: 8 * dayMs - 1 }),
    )
    const routerId = other.id
    await save(
      ...old,
      sampleContent({ requestId: 'new', startedAtMs: 8 * dayMs }),
      sampleContent({ requestId: 'other', startedAtMs: dayMs, routerId }),
    )
    let slices = 1
    while (!(await storage().contents.prune(nowMs))) slices += 1
    expect(slices).toBeGreaterThan(1)
    expect(await kept('old-0', 'old-49', 'new', 'other')).toEqual(['new', 'other'])
  })

  test('deletes contents with the ledger row, whatever the days', async () => {
    await storage().configuration.insertRouter(routerKeeping(365))
    await storage().ledger.append(sampleRecord({ id: 'old', startedAtMs: 0 }), sampleDetail())
    await storage().ledger.append(sampleRecord({ id: 'new', startedAtMs: dayMs }), sampleDetail())
    await save(
      sampleContent({ requestId: 'old', startedAtMs: 0 }),
      sampleContent({ requestId: 'new', startedAtMs: dayMs }),
    )
    await storage().ledger.prune({
      rowsBeforeMs: dayMs,
      minutesBeforeMs: 0,
      hoursBeforeMs: 0,
      maxBytes: 2 ** 40,
      keptSinceMs: 0,
    })
    expect(await kept('old', 'new')).toEqual(['new'])
  })

  test('a request is found by a part of its stored prompt, its key’s name or the message of a failed try', async () => {
    const { configuration, ledger, contents } = storage()
    await configuration.insertRouter(routerKeeping(7))
    await configuration.insertApiKey(sampleApiKey())
    const routerId = sampleRouter().id
    const failed = { model: 'a:x', startedMs: 0, tookMs: 1, outcome: 'unavailable', status: 503 }
    const attempts = [{ ...failed, message: 'The engine is Overloaded' }]
    await ledger.append(sampleRecord({ id: 'prompt', apiKeyId: null }), sampleDetail())
    await ledger.append(sampleRecord({ id: 'key', apiKeyId: 'key-1' }), sampleDetail())
    await ledger.append(
      sampleRecord({ id: 'try', apiKeyId: null, status: 502 }),
      sampleDetail({ attempts }),
    )
    await contents.save(sampleContent({ requestId: 'prompt', routerId, request: '"A Lighthouse"' }))

    const idsOf = async (text: string) =>
      (await ledger.search({ filter: { text }, after: null, offset: 0, limit: 9 })).map(
        ({ id }) => id,
      )
    expect(await idsOf('lighthouse')).toEqual(['prompt'])
    expect(await idsOf('lapTOP')).toEqual(['key'])
    expect(await idsOf('engine is overloaded')).toEqual(['try'])
    expect(await idsOf('100 %_')).toEqual([])
  })
}
