import { useState } from 'react'
import type { Prompt } from '../../../../shared/chat/conversations.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { fillVariables, variablesOf } from './prompt-variables.ts'
import type { PromptList } from './use-prompt-list.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The id of an entry, for the message field that keeps the focus. */
export function promptEntryId(position: number): string {
  return `prompt-entry-${position}`
}

/** The person's prompts, above the message field. */
export function PromptPicker({ list: { entries, active, choose } }: { list: PromptList }) {
  if (!entries) return null
  return (
    <div
      id="prompt-list"
      role="listbox"
      aria-label={t('Prompts')}
      className="max-h-64 overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-lg"
    >
      {entries.map((entry, position) => (
        <button
          key={entry === 'edit' ? entry : entry.id}
          type="button"
          tabIndex={-1}
          id={promptEntryId(position)}
          role="option"
          aria-selected={position === active}
          // The message field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(entry)}
          className="flex w-full flex-col rounded-md px-2.5 py-1.5 text-left text-sm hover:bg-hover aria-selected:bg-hover"
        >
          {entry === 'edit' ? (
            t('Edit prompts…')
          ) : (
            <>
              <span className="font-medium">{entry.name}</span>
              <span className="w-full truncate text-xs text-muted">{entry.text}</span>
            </>
          )}
        </button>
      ))}
    </div>
  )
}

interface PromptVariablesProps {
  prompt: Prompt
  onInsert: (text: string) => void
  onCancel: () => void
}

/** Asks for the values of a prompt's variables. */
export function PromptVariables({ prompt, onInsert, onCancel }: PromptVariablesProps) {
  const [values, setValues] = useState<Record<string, string>>({})
  return (
    <Form
      aria-label={prompt.name}
      className="flex flex-col gap-3 rounded-xl border border-line bg-raised p-3 shadow-lg"
      onSubmit={() => onInsert(fillVariables(prompt.text, values))}
    >
      <div className="grid max-h-64 gap-3 overflow-y-auto p-1 @min-[30rem]:grid-cols-2">
        {variablesOf(prompt.text).map((name, position) => (
          <TextField
            key={name}
            label={name}
            required
            ref={position === 0 ? focusAtFirst : null}
            value={values[name] ?? ''}
            onKeyDown={({ key }) => key === 'Escape' && onCancel()}
            onChange={({ target }) => setValues({ ...values, [name]: target.value })}
          />
        ))}
      </div>
      <div className="flex justify-end gap-2">
        <Button size="small" onClick={onCancel}>
          {t('Cancel')}
        </Button>
        <Button size="small" look="primary" type="submit">
          {t('Insert')}
        </Button>
      </div>
    </Form>
  )
}

/** The person asked to fill the prompt. */
function focusAtFirst(field: HTMLInputElement | null): void {
  field?.focus()
}
