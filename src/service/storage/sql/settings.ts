import { z } from 'zod'
import { readJson } from './json-column.ts'
import type { Sql } from './sql.ts'

/** The changed settings, as JSON values by name. */
export function openSettings(sql: Sql) {
  const selectAll = sql.prepare<[], { name: string; value: string }>(
    'SELECT name, value FROM settings ORDER BY name',
  )
  const save = sql.prepare<[string, string]>(`
    INSERT INTO settings (name, value) VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`)
  const remove = sql.prepare<[string]>('DELETE FROM settings WHERE name = ?')

  return {
    all: async () => {
      const rows = await selectAll.all()
      return Object.fromEntries(rows.map(({ name, value }) => [name, readJson(value, z.unknown())]))
    },
    save: async (name: string, value: unknown): Promise<void> => {
      await save.run(name, JSON.stringify(value))
    },
    remove: async (name: string) => (await remove.run(name)).changes > 0,
  }
}
