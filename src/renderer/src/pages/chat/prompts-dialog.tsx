import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Prompt } from '../../../../shared/chat/conversations.ts'
import { Button } from '../../components/button.tsx'
import { ActionMenu } from '../../components/action-menu.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { TextField } from '../../components/field.tsx'
import { TextArea } from '../../components/text-area.tsx'
import { useAction } from '../../components/use-action.ts'
import { Form } from '../../components/form.tsx'
import { removePrompt, savePrompt, usePrompts } from '../../stores/instructions.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface PromptsDialogProps {
  /** The text of the message, which a new prompt begins with. */
  draft: string
  onClose: () => void
}

/** Adds, changes and deletes prompts. */
export function PromptsDialog({ draft, onClose }: PromptsDialogProps) {
  const prompts = usePrompts(({ items }) => items) ?? []
  const [edited, setEdited] = useState<Prompt>(() => newPrompt(draft))
  const { run: remove, error } = useAction(removePrompt)
  return (
    <Dialog
      title={t('Prompts')}
      description={t('Type / in an empty message to insert one of them.')}
      onClose={onClose}
    >
      {error && <ErrorNote error={error} />}
      {prompts.length > 0 && (
        <ul className="flex max-h-60 shrink-0 flex-col overflow-y-auto">
          {prompts.map((prompt) => (
            <li key={prompt.id} className="flex items-center gap-2">
              <span className="flex min-w-0 flex-1 flex-col py-1">
                <span className="truncate text-sm font-medium">{prompt.name}</span>
                <span className="truncate text-xs text-muted">{prompt.text}</span>
              </span>
              <ActionMenu
                entry={prompt.name}
                actions={[
                  { label: t('Edit'), icon: Pencil, onSelect: () => setEdited(prompt) },
                  { label: t('Delete'), icon: Trash2, onSelect: () => remove(prompt) },
                ]}
              />
            </li>
          ))}
        </ul>
      )}
      <PromptForm
        key={edited.id}
        prompt={edited}
        isNew={prompts.every(({ id }) => id !== edited.id)}
        onSaved={() => setEdited(newPrompt(''))}
      />
    </Dialog>
  )
}

interface PromptFormProps {
  prompt: Prompt
  isNew: boolean
  onSaved: () => void
}

function PromptForm({ prompt, isNew, onSaved }: PromptFormProps) {
  const [name, setName] = useState(prompt.name)
  const [text, setText] = useState(prompt.text)
  const { run, isRunning, error } = useAction(async () => {
    await savePrompt({ id: prompt.id, name: name.trim(), text })
    onSaved()
  })
  return (
    <Form onSubmit={() => run()}>
      <TextField
        label={t('Name')}
        value={name}
        maxLength={100}
        error={error?.message}
        onChange={({ target }) => setName(target.value)}
      />
      <TextArea
        label={t('Text')}
        hint={t('A variable such as {example} asks for its value each time.', {
          example: '{{language}}',
        })}
        value={text}
        maxLength={100_000}
        onChange={({ target }) => setText(target.value)}
      />
      <Button
        look="primary"
        type="submit"
        disabled={isRunning || name.trim() === '' || text.trim() === ''}
        className="self-end"
      >
        {isNew ? t('Add prompt') : t('Save prompt')}
      </Button>
    </Form>
  )
}

function newPrompt(text: string): Prompt {
  return { id: crypto.randomUUID(), name: '', text }
}
