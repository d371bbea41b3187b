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

type PresetRow = Omit<Preset, 'parameters'> & { parameters: string }

export function openPresets(
  sql: Sql,
): Pick<ConversationStore, 'presets' | 'savePreset' | 'removePreset'> {
  const select = sql.prepare<[], PresetRow>(`
    SELECT id, name, system_prompt AS "systemPrompt", parameters, router_id AS "routerId"
    FROM chat_presets ORDER BY lower(name), id`)
  const save = sql.prepare<PresetRow>(`
    INSERT INTO chat_presets (id, name, system_prompt, parameters, router_id)
    VALUES (:id, :name, :systemPrompt, :parameters, :routerId)
    ON CONFLICT (id) DO UPDATE SET
      name = excluded.name, system_prompt = excluded.system_prompt, parameters = excluded.parameters,
      router_id = excluded.router_id`)
  const remove = sql.prepare<[string]>('DELETE FROM chat_presets WHERE id = ?')
  return {
    async presets() {
      const rows = await select.all()
      return rows.map((row) => ({ ...row, parameters: readJson(row.parameters, parametersSchema) }))
    },
    async savePreset(preset: Preset) {
      await save.run({ ...preset, parameters: JSON.stringify(preset.parameters) })
    },
    async removePreset(id: string) {
      await remove.run(id)
    },
  }
}

export function openPrompts(
  sql: Sql,
): Pick<ConversationStore, 'prompts' | 'savePrompt' | 'removePrompt'> {
  const select = sql.prepare<[], Prompt>(
    'SELECT id, name, text FROM chat_prompts ORDER BY lower(name), id',
  )
  const save = sql.prepare<Prompt>(`
    INSERT INTO chat_prompts (id, name, text) VALUES (:id, :name, :text)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, text = excluded.text`)
  const remove = sql.prepare<[string]>('DELETE FROM chat_prompts WHERE id = ?')
  return {
    prompts: () => select.all(),
    async savePrompt(prompt: Prompt) {
      await save.run(prompt)
    },
    async removePrompt(id: string) {
      await remove.run(id)
    },
  }
}

export function openFolders(
  sql: Sql,
): Pick<ConversationStore, 'folders' | 'saveFolder' | 'removeFolder'> {
  const select = sql.prepare<[], Folder>(
    'SELECT id, name, preset_id AS "presetId" FROM chat_folders ORDER BY lower(name), id',
  )
  const save = sql.prepare<Folder>(`
    INSERT INTO chat_folders (id, name, preset_id) VALUES (:id, :name, :presetId)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, preset_id = excluded.preset_id`)
  const remove = sql.prepare<[string]>('DELETE FROM chat_folders WHERE id = ?')
  return {
    folders: () => select.all(),
    async saveFolder(folder: Folder) {
      await save.run(folder)
    },
    async removeFolder(id: string) {
      await remove.run(id)
    },
  }
}
