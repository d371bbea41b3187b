import { SquareSlash } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useAction } from '../../components/use-action.ts'
import { runCommand } from '../../shell/commands.ts'
import { useNavigation } from '../../shell/use-commands.ts'
import { setDraft, showThreadError, useChat } from '../../stores/chat.ts'
import { toCallError } from '../../stores/client.ts'
import { readServerPrompt } from '../../stores/server-prompts.ts'
import { PromptPicker, promptEntryId, PromptVariables, type PromptField } from './prompt-picker.tsx'
import { PromptsDialog } from './prompts-dialog.tsx'
import { fillVariables, variablesOf } from './prompt-variables.ts'
import { titleOf, usePromptList, type PromptEntry } from './use-prompt-list.ts'
import { t } from '../../../../shared/strings/strings.ts'

type FilledEntry = Extract<PromptEntry, { kind: 'own' | 'server' }>

/** The prompts and commands of the message field: their list, the form for variables, and the dialog. */
export function usePrompting(conversation: string, draft: string, focus: () => void) {
  const [filled, setFilled] = useState<FilledEntry | null>(null)
  const [isEditing, setIsEditing] = useState(false)
  const navigation = useNavigation()
  const fill = useAction(async (entry: FilledEntry, values: Readonly<Record<string, string>>) => {
    try {
      insert(await textOf(entry, values))
    } catch (error) {
      showThreadError(conversation, toCallError(error))
    }
  })
  const list = usePromptList(draft, (entry) => {
    if (entry.kind === 'edit') setIsEditing(true)
    else if (entry.kind === 'command') {
      setDraft(conversation, withoutSearch(draft))
      runCommand(entry.id, navigation)
    } else if (fieldsOf(entry).length > 0) setFilled(entry)
    else fill.run(entry, {})
  })

  function insert(text: string): void {
    setFilled(null)
    // A server takes its time, and meanwhile the person may have written more.
    const kept = withoutSearch(useChat.getState().drafts[conversation] ?? '')
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
        {isEditing && (
          <PromptsDialog draft={withoutSearch(draft)} onClose={() => setIsEditing(false)} />
        )}
        {filled && (
          <PromptVariables
            key={titleOf(filled)}
            title={titleOf(filled)}
            fields={fieldsOf(filled)}
            isRunning={fill.isRunning}
            onFill={(values) => fill.run(filled, values)}
            onCancel={cancel}
          />
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

/** What was typed behind the slash only searched the list. */
function withoutSearch(draft: string): string {
  return draft.startsWith('/') ? '' : draft
}

function fieldsOf(entry: FilledEntry): PromptField[] {
  if (entry.kind === 'own') {
    return variablesOf(entry.prompt.text).map((name) => {
      return { name, label: name, hint: '', isRequired: true }
    })
  }
  return entry.found.prompt.arguments.map(({ name, title, description, isRequired }) => {
    return { name, label: title, hint: description, isRequired }
  })
}

/** @throws CallError when the server does not give it */
async function textOf(
  entry: FilledEntry,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  return entry.kind === 'own'
    ? fillVariables(entry.prompt.text, values)
    : await readServerPrompt(entry.found, values)
}
