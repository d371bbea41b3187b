import { useState } from 'react'
import type { Conversation, Folder } from '../../../../shared/chat/conversations.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { useAction } from '../../components/use-action.ts'
import { Form } from '../../components/form.tsx'
import { changeConversation } from '../../stores/conversation-changes.ts'
import { saveFolder, useFolders } from '../../stores/folders.ts'
import { usePresets } from '../../stores/instructions.ts'
import { t } from '../../../../shared/strings/strings.ts'

const none = ''
const added = 'new'

export function newFolder(): Folder {
  return { id: crypto.randomUUID(), name: '', presetId: null }
}

interface FolderDialogProps {
  folder: Folder
  onClose: () => void
}

/** Adds or changes a folder. */
export function FolderDialog({ folder, onClose }: FolderDialogProps) {
  const isNew = useFolders(({ items }) => items?.every(({ id }) => id !== folder.id) ?? true)
  const presets = usePresets(({ items }) => items) ?? []
  const [name, setName] = useState(folder.name)
  const [presetId, setPresetId] = useState(folder.presetId ?? none)
  const { run, isRunning, error } = useAction(async () => {
    await saveFolder({ id: folder.id, name: name.trim(), presetId: presetId || null })
    onClose()
  })
  return (
    <Dialog title={isNew ? t('New folder') : t('Edit folder')} onClose={onClose}>
      <Form onSubmit={() => run()}>
        <TextField
          label={t('Name')}
          value={name}
          maxLength={100}
          error={error?.message}
          onChange={({ target }) => setName(target.value)}
        />
        {presets.length > 0 && (
          <Select
            label={t('New conversations start from')}
            choices={[
              { value: none, label: t('No preset') },
              ...presets.map((preset) => ({ value: preset.id, label: preset.name })),
            ]}
            value={presetId}
            onChange={setPresetId}
          />
        )}
        <Button
          look="primary"
          type="submit"
          disabled={isRunning || name.trim() === ''}
          className="self-end"
        >
          {isNew ? t('Add folder') : t('Save folder')}
        </Button>
      </Form>
    </Dialog>
  )
}

interface MoveDialogProps {
  conversation: Conversation
  onClose: () => void
}

/** Moves a conversation to a folder, to a new one, or out of its folder. */
export function MoveDialog({ conversation, onClose }: MoveDialogProps) {
  const folders = useFolders(({ items }) => items) ?? []
  const current = folders.find(({ id }) => id === conversation.folderId)?.id ?? none
  const [chosen, setChosen] = useState(folders.length === 0 ? added : current)
  const [name, setName] = useState('')
  const { run, isRunning, error } = useAction(async () => {
    const folder = { ...newFolder(), name: name.trim() }
    if (chosen === added) await saveFolder(folder)
    const folderId = chosen === added ? folder.id : chosen || null
    await changeConversation(conversation.id, { folderId })
    onClose()
  })
  return (
    <Dialog title={t('Move to folder')} onClose={onClose}>
      <Form onSubmit={() => run()}>
        {folders.length > 0 && (
          <Select
            label={t('Folder')}
            choices={[
              { value: none, label: t('No folder') },
              ...folders.map((folder) => ({ value: folder.id, label: folder.name })),
              { value: added, label: t('New folder') },
            ]}
            value={chosen}
            onChange={setChosen}
          />
        )}
        {chosen === added && (
          <TextField
            label={t('Name of the new folder')}
            value={name}
            maxLength={100}
            error={error?.message}
            onChange={({ target }) => setName(target.value)}
          />
        )}
        <Button
          look="primary"
          type="submit"
          disabled={isRunning || (chosen === added && name.trim() === '')}
          className="self-end"
        >
          {t('Move')}
        </Button>
      </Form>
    </Dialog>
  )
}
