import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { readJson } from './json-column.ts'

/** The changed settings, as JSON values by name. */
export function openSettings(db: Database) {
  const selectAll = db.prepare<[], { name: string; value: string }>(
    'SELECT name, value FROM settings ORDER BY name',
  )
  const save = db.prepare<[string, string]>(`
    INSERT INTO settings (name, value) VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`)
  const remove = db.prepare<[string]>('DELETE FROM settings WHERE name = ?')

  return {
    all: () =>
      Object.fromEntries(
        selectAll.all().map(({ name, value }) => [name, readJson(value, z.unknown())]),
      ),
    save: (name: string, value: unknown): void => {
      save.run(name, JSON.stringify(value))
    },
    remove: (name: string) => remove.run(name).changes > 0,
  }
}
