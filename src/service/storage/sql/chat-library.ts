/** Presets, prompts and folders of the chat. */
import {
  parametersSchema,
  type Folder,
  type Preset,
  type Prompt,
} from '../../../shared/chat/conversations.ts'
import type { ConversationStore } from '../conversation-store.ts'
import { readJson } from './json-column.ts'
import type { Sql } from './sql.ts'

type LibraryStore = Pick<
  ConversationStore,
  | 'presets'
  | 'savePreset'
  | 'removePreset'
  | 'prompts'
  | 'savePrompt'
  | 'removePrompt'
  | 'folders'
  | 'saveFolder'
  | 'removeFolder'
>

type PresetRow = Omit<Preset, 'parameters'> & { parameters: string }

export function openLibrary(sql: Sql): LibraryStore {
  const presets = openNamed<PresetRow>(sql, 'chat_presets', {
    systemPrompt: 'system_prompt',
    parameters: 'parameters',
    routerId: 'router_id',
  })
  const prompts = openNamed<Prompt>(sql, 'chat_prompts', { text: 'text' })
  const folders = openNamed<Folder>(sql, 'chat_folders', { presetId: 'preset_id' })
  return {
    async presets() {
      const rows = await presets.list()
      return rows.map((row) => ({ ...row, parameters: readJson(row.parameters, parametersSchema) }))
    },
    savePreset: (preset) =>
      presets.save({ ...preset, parameters: JSON.stringify(preset.parameters) }),
    removePreset: presets.remove,
    prompts: prompts.list,
    savePrompt: prompts.save,
    removePrompt: prompts.remove,
    folders: folders.list,
    saveFolder: folders.save,
    removeFolder: folders.remove,
  }
}

/** A table of entries with an id and a name. @param others  the columns of its other fields */
function openNamed<Row extends { id: string; name: string }>(
  sql: Sql,
  table: string,
  others: Readonly<Record<Exclude<keyof Row, 'id' | 'name'> & string, string>>,
) {
  const columnOf: Readonly<Record<string, string>> = { id: 'id', name: 'name', ...others }
  const columns = Object.values(columnOf)
  const changed = columns.slice(1).map((column) => `${column} = excluded.${column}`)
  const select = sql.prepare<[], Row>(`
    SELECT ${Object.entries(columnOf)
      .map(([field, column]) => `${column} AS "${field}"`)
      .join(', ')}
    FROM ${table} ORDER BY lower(name), id`)
  const save = sql.prepare(`
    INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (id) DO UPDATE SET ${changed.join(', ')}`)
  const remove = sql.prepare<[string]>(`DELETE FROM ${table} WHERE id = ?`)
  return {
    list: () => select.all(),
    async save(row: Row) {
      const values: Readonly<Record<string, unknown>> = row
      await save.run(...Object.keys(columnOf).map((field) => values[field]))
    },
    async remove(id: string) {
      await remove.run(id)
    },
  }
}
