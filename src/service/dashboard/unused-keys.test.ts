import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import type { LiveConfiguration } from '../storage/live-configuration.ts'
import type { Ledger } from '../storage/storage.ts'
import { openToolRecords } from '../connect/tool-record.ts'
import { endUnusedKeys } from './unused-keys.ts'

const hourMs = 3_600_000

test('a copied key that nobody used is revoked after its hour, and no other', async () => {
  const dataDir = temporaryFolder()
  const records = openToolRecords(dataDir)
  const made = (id: string, unusedUntilMs?: number) => ({ id, routerId: 'router_1', unusedUntilMs })
  const written = { connectionId: 'in-file', routerId: 'router_1', atMs: 0, files: [] }
  const keys = [
    made('unused', hourMs),
    made('used', hourMs),
    made('of an assistant that asked nothing yet', hourMs),
    made('in-file', hourMs),
    made('younger', 2 * hourMs),
    made('of an earlier release'),
  ]
  await records.save('codex', { keys, written })
  const revoked: string[] = []
  const apiKeys = new Map(
    keys.map(({ id }) => {
      const lastUsedAtMs = id.includes('assistant') ? 1 : null
      return [id, { id, createdAtMs: 0, revokedAtMs: null, lastUsedAtMs }]
    }),
  )
  const options = {
    dataDir,
    // Test boundaries: only these parts are read.
    configuration: {
      current: () => ({ apiKeys }),
      refresh: async () => undefined,
    } as unknown as LiveConfiguration,
    store: { revokeApiKey: async (id: string) => revoked.push(id) > 0 },
    ledger: {
      endsOfKey: async ({ apiKeyId }: { apiKeyId: string }) => (apiKeyId === 'used' ? {} : null),
    } as unknown as Ledger,
  }

  await endUnusedKeys({ ...options, now: () => hourMs - 1 })
  expect(revoked).toEqual([])
  await endUnusedKeys({ ...options, now: () => hourMs })
  await endUnusedKeys({ ...options, now: () => hourMs })
  expect(revoked).toEqual(['unused'])
  expect((await records.read('codex')).keys).toContainEqual(made('younger', 2 * hourMs))
})
