import { SquareSlash } from 'lucide-react'
import { useState } from 'react'
import type { Prompt } from '../../../../shared/chat/conversations.ts'
import { Button } from '../../components/button.tsx'
import { setDraft } from '../../stores/chat.ts'
import { PromptPicker, promptEntryId, PromptVariables } from './prompt-picker.tsx'
import { PromptsDialog } from './prompts-dialog.tsx'
import { variablesOf } from './prompt-variables.ts'
import { usePromptList } from './use-prompt-list.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The prompts of the message field: their list, the form for variables, and the dialog. */
export function usePrompting(conversation: string, draft: string, focus: () => void) {
  const [filled, setFilled] = useState<Prompt | null>(null)
  const [isEditing, setIsEditing] = useState(false)
  // What was typed behind the slash only searched the list.
  const kept = draft.startsWith('/') ? '' : draft
  const list = usePromptList(draft, (entry) => {
    if (entry === 'edit') setIsEditing(true)
    else if (variablesOf(entry.text).length > 0) setFilled(entry)
    else insert(entry.text)
  })

  function insert(text: string): void {
    setFilled(null)
    setDraft(conversation, kept === '' ? text : `${kept}\n${text}`)
    focus()
  }

  function cancel(): void {
    setFilled(null)
    focus()
  }

  function toggle(): void {
    list.toggle()
    focus()
  }

  return {
    list,
    fieldProps: {
      'aria-autocomplete': 'list' as const,
      'aria-controls': list.entries ? 'prompt-list' : undefined,
      'aria-activedescendant': list.entries ? promptEntryId(list.active) : undefined,
    },
    panel: (
      <>
        {isEditing && <PromptsDialog draft={kept} onClose={() => setIsEditing(false)} />}
        {filled && (
          <PromptVariables key={filled.id} prompt={filled} onInsert={insert} onCancel={cancel} />
        )}
        <PromptPicker list={list} />
      </>
    ),
    button: (
      <Button look="quiet" size="small" aria-expanded={list.entries !== null} onClick={toggle}>
        <SquareSlash size={13} aria-hidden /> {t('Prompts')}
      </Button>
    ),
  }
}
