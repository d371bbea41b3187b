/** Records of provider keys in a table, so that all nodes have them. They contain keys only in encrypted form. */
import type { Sql } from '../sql/sql.ts'

/** The table's half of `SealedKeys` in secrets/. */
export interface SealedKeyTable {
  ids(): Promise<string[]>
  read(id: string): Promise<string | null>
  save(id: string, text: string): Promise<void>
  /** Saves the record unless the id exists. Resolves to the stored text, which may be another node's. */
  create(id: string, text: string): Promise<string>
  remove(id: string): Promise<void>
}

export function openSealedKeys(sql: Sql): SealedKeyTable {
  const ids = sql.prepare<[], string>('SELECT id FROM sealed_keys ORDER BY id').pluck()
  const select = sql.prepare<[string], string>('SELECT text FROM sealed_keys WHERE id = ?').pluck()
  const save = sql.prepare<[string, string]>(`
    INSERT INTO sealed_keys (id, text) VALUES (?, ?)
    ON CONFLICT (id) DO UPDATE SET text = excluded.text`)
  const create = sql.prepare<[string, string]>(
    'INSERT INTO sealed_keys (id, text) VALUES (?, ?) ON CONFLICT (id) DO NOTHING',
  )
  const remove = sql.prepare<[string]>('DELETE FROM sealed_keys WHERE id = ?')
  return {
    ids: () => ids.all(),
    read: async (id) => (await select.get(id)) ?? null,
    save: async (id, text) => void (await save.run(id, text)),
    async create(id, text) {
      await create.run(id, text)
      return (await select.get(id)) ?? text
    },
    remove: async (id) => void (await remove.run(id)),
  }
}
