/** Revokes the keys that were made for a tool and that nobody used within their hour. */
import type { ConfigurationStore, Ledger } from '../storage/storage.ts'
import type { LiveConfiguration } from '../storage/live-configuration.ts'
import { openToolRecords, type ToolRecord } from '../connect/tool-record.ts'

interface UnusedKeysOptions {
  dataDir: string
  configuration: LiveConfiguration
  store: Pick<ConfigurationStore, 'revokeApiKey'>
  ledger: Pick<Ledger, 'endsOfKey'>
  now(): number
}

/** @throws when a record cannot be read or a key cannot be revoked */
export async function endUnusedKeys(options: UnusedKeysOptions): Promise<void> {
  const { dataDir, configuration, store, ledger, now } = options
  const records = openToolRecords(dataDir)
  const nowMs = now()
  const isOver = ({ unusedUntilMs = Infinity }: ToolRecord['keys'][number]) =>
    unusedUntilMs <= nowMs
  for (const toolId of await records.toolIds()) {
    const record = await records.read(toolId)
    const over = record.keys.filter(isOver)
    if (over.length === 0) continue
    for (const { id } of over) {
      const key = configuration.current().apiKeys.get(id)
      if (!key || key.revokedAtMs !== null || id === record.written?.connectionId) continue
      if (key.lastUsedAtMs !== null) continue
      const ends = await ledger.endsOfKey({ apiKeyId: id, sinceMs: key.createdAtMs })
      if (ends === null) await store.revokeApiKey(id, nowMs)
    }
    await configuration.refresh()
    // A key whose hour is over is not looked at again.
    const keys = record.keys.map(({ id, routerId, ...key }) =>
      isOver({ id, routerId, ...key }) ? { id, routerId } : { id, routerId, ...key },
    )
    await records.save(toolId, { ...record, keys })
  }
}
