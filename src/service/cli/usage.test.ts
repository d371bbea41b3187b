import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'

const atMs = Date.UTC(2026, 10, 23, 9)
const none = { amount: null, usual: null }

test('usage --unexpected prints what nobody expected, until it is dismissed', async () => {
  const dataDir = temporaryFolder()
  const storage = await openStorage({ dataDir })
  const ofKey = { ownerKind: 'key', ownerId: 'key-1', lastAtMs: atMs } as const
  const address = { ...ofKey, ...none, kind: 'address', value: '203.0.113.9' } as const
  await storage.unexpectedCalls.report(address)
  const spike = { ...ofKey, kind: 'spend', value: null, amount: 31, usual: 4.1 } as const
  await storage.unexpectedCalls.report({ ...spike, ownerKind: 'router', ownerId: 'router_1' })
  await storage.close()
  const { json, run } = newModelport(dataDir)

  expect(await json('usage', '--unexpected')).toMatchObject([
    { ownerId: 'key-1', kind: 'address', value: '203.0.113.9', firstAtMs: atMs },
    { ownerId: 'router_1', kind: 'spend', amount: 31, usual: 4.1 },
  ])
  const { stdout } = await run(['usage', '--unexpected'])
  expect(stdout).toMatch(/key-1 +address +203\.0\.113\.9 +0 +– +– +2026-11-23T09:00:00\.000Z/)

  expect(await run(['usage', '--unexpected', '--dismiss', 'key-1'])).toMatchObject({ code: 0 })
  expect(await json('usage', '--unexpected')).toMatchObject([{ ownerId: 'router_1' }])
  expect(await run(['usage', '--unexpected', '--dismiss', 'key-1'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no unexpected call of "key-1".'),
  })
  expect(await run(['usage', '--dismiss', 'key-1'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--dismiss needs --unexpected'),
  })
})
