import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { StoredProvider } from '../storage.ts'
import { readJson } from './json-column.ts'

interface ProviderRow extends Omit<StoredProvider, 'privateNetwork' | 'options'> {
  privateNetwork: number
  options: string
}

const optionsSchema = z.record(z.string(), z.string())
const namesSchema = z.array(z.string())

/** Providers, and the models that each listed at its last test. */
export function openProviders(db: Database) {
  const selectAll = db.prepare<[], ProviderRow>(`
    SELECT id, type, base_url AS baseUrl, private_network AS privateNetwork, options,
           created_at_ms AS createdAtMs, key_revision AS keyRevision
    FROM providers ORDER BY created_at_ms, id`)
  const insert = db.prepare<ProviderRow>(`
    INSERT INTO providers (id, type, base_url, private_network, options, created_at_ms, key_revision)
    VALUES (:id, :type, :baseUrl, :privateNetwork, :options, :createdAtMs, :keyRevision)`)
  const update = db.prepare<ProviderRow>(`
    UPDATE providers SET type = :type, base_url = :baseUrl, private_network = :privateNetwork,
                         options = :options
    WHERE id = :id`)
  const updateWithKeys = db.prepare<ProviderRow>(`
    UPDATE providers SET base_url = :baseUrl, private_network = :privateNetwork, options = :options,
                         key_revision = key_revision + 1
    WHERE id = :id`)
  const raiseKeyRevision = db.prepare<[string]>(
    'UPDATE providers SET key_revision = key_revision + 1 WHERE id = ?',
  )
  const remove = db.prepare<[string]>('DELETE FROM providers WHERE id = ?')
  const selectListed = db.prepare<[], { providerId: string; names: string }>(
    'SELECT provider_id AS providerId, names FROM listed_models',
  )
  const saveListed = db.prepare<[string, string]>(`
    INSERT INTO listed_models (provider_id, names) VALUES (?, ?)
    ON CONFLICT (provider_id) DO UPDATE SET names = excluded.names`)
  const forgetListed = db.prepare<[string]>('DELETE FROM listed_models WHERE provider_id = ?')

  return {
    all: () => selectAll.all().map(toProvider),
    listedModels: () =>
      Object.fromEntries(
        selectListed.all().map((row) => [row.providerId, readJson(row.names, namesSchema)]),
      ),
    insert: (provider: StoredProvider): void => {
      insert.run(toRow(provider))
    },
    save: (provider: StoredProvider): void => {
      if (update.run(toRow(provider)).changes === 0) insert.run(toRow(provider))
    },
    update: (provider: StoredProvider): boolean => updateWithKeys.run(toRow(provider)).changes > 0,
    raiseKeyRevision: (id: string): boolean => raiseKeyRevision.run(id).changes > 0,
    remove: (id: string): boolean => {
      forgetListed.run(id)
      return remove.run(id).changes > 0
    },
    setListedModels: (providerId: string, names: readonly string[]): void => {
      saveListed.run(providerId, JSON.stringify(names))
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
