import { z } from 'zod'
import type { StoredProvider } from '../storage.ts'
import { readJson } from './json-column.ts'
import type { Sql } from './sql.ts'

interface ProviderRow extends Omit<StoredProvider, 'privateNetwork' | 'options'> {
  privateNetwork: number
  options: string
}

const optionsSchema = z.record(z.string(), z.string())
const namesSchema = z.array(z.string())

/** Providers, and the models that each listed at its last test. */
export function openProviders(sql: Sql) {
  const selectAll = sql.prepare<[], ProviderRow>(`
    SELECT id, type, base_url AS "baseUrl", private_network AS "privateNetwork", options,
           created_at_ms AS "createdAtMs", key_revision AS "keyRevision"
    FROM providers ORDER BY created_at_ms, id`)
  const insert = sql.prepare<ProviderRow>(`
    INSERT INTO providers (id, type, base_url, private_network, options, created_at_ms, key_revision)
    VALUES (:id, :type, :baseUrl, :privateNetwork, :options, :createdAtMs, :keyRevision)`)
  const update = sql.prepare<ProviderRow>(`
    UPDATE providers SET type = :type, base_url = :baseUrl, private_network = :privateNetwork,
                         options = :options
    WHERE id = :id`)
  const updateWithKeys = sql.prepare<ProviderRow>(`
    UPDATE providers SET base_url = :baseUrl, private_network = :privateNetwork, options = :options,
                         key_revision = key_revision + 1
    WHERE id = :id`)
  const raiseKeyRevision = sql.prepare<[string]>(
    'UPDATE providers SET key_revision = key_revision + 1 WHERE id = ?',
  )
  const remove = sql.prepare<[string]>('DELETE FROM providers WHERE id = ?')
  const selectListed = sql.prepare<[], { providerId: string; names: string }>(
    'SELECT provider_id AS "providerId", names FROM listed_models',
  )
  const saveListed = sql.prepare<[string, string]>(`
    INSERT INTO listed_models (provider_id, names) VALUES (?, ?)
    ON CONFLICT (provider_id) DO UPDATE SET names = excluded.names`)
  const forgetListed = sql.prepare<[string]>('DELETE FROM listed_models WHERE provider_id = ?')

  return {
    all: async () => (await selectAll.all()).map(toProvider),
    listedModels: async () => {
      const rows = await selectListed.all()
      return Object.fromEntries(
        rows.map((row) => [row.providerId, readJson(row.names, namesSchema)]),
      )
    },
    insert: async (provider: StoredProvider): Promise<void> => {
      await insert.run(toRow(provider))
    },
    save: async (provider: StoredProvider): Promise<void> => {
      const row = toRow(provider)
      if ((await update.run(row)).changes === 0) await insert.run(row)
    },
    update: async (provider: StoredProvider): Promise<boolean> =>
      (await updateWithKeys.run(toRow(provider))).changes > 0,
    raiseKeyRevision: async (id: string): Promise<boolean> =>
      (await raiseKeyRevision.run(id)).changes > 0,
    remove: async (id: string): Promise<boolean> => {
      await forgetListed.run(id)
      return (await remove.run(id)).changes > 0
    },
    setListedModels: async (providerId: string, names: readonly string[]): Promise<void> => {
      await saveListed.run(providerId, JSON.stringify(names))
    },
  }
}

function toRow(provider: StoredProvider): ProviderRow {
  return {
    ...provider,
    privateNetwork: Number(provider.privateNetwork),
    options: JSON.stringify(provider.options),
  }
}

function toProvider(row: ProviderRow): StoredProvider {
  return {
    ...row,
    privateNetwork: row.privateNetwork === 1,
    options: readJson(row.options, optionsSchema),
  }
}
