import { useState } from 'react'
import { commandOf } from '../../../../shared/app/commands.ts'
import { shortcutText } from '../../../../shared/app/shortcuts.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { platform } from '../../shell/platform.ts'
import { titleOf, type PromptEntry, type PromptList } from './use-prompt-list.ts'

/** The id of an entry, for the message field that keeps the focus. */
export function promptEntryId(position: number): string {
  return `prompt-entry-${position}`
}

/** Prompts and commands, above the message field. */
export function PromptPicker({ list: { entries, active, choose } }: { list: PromptList }) {
  if (!entries) return null
  return (
    <div
      id="prompt-list"
      role="listbox"
      aria-label={t('Prompts and commands')}
      className="max-h-64 overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-lg"
    >
      {entries.map((entry, position) => (
        <button
          key={keyOf(entry)}
          ref={position === active ? showActive : null}
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
          <Entry entry={entry} />
        </button>
      ))}
    </div>
  )
}

function Entry({ entry }: { entry: PromptEntry }) {
  const detail = detailOf(entry)
  return (
    <>
      <span className="flex w-full min-w-0 items-center gap-2">
        <span className={`min-w-0 truncate ${entry.kind === 'edit' ? '' : 'font-medium'}`}>
          {titleOf(entry)}
        </span>
        {entry.kind === 'server' && <Badge>{entry.found.server}</Badge>}
        {entry.kind === 'command' && <Shortcut id={entry.id} />}
      </span>
      {detail !== '' && <span className="w-full truncate text-xs text-muted">{detail}</span>}
    </>
  )
}

function Shortcut({ id }: { id: Extract<PromptEntry, { kind: 'command' }>['id'] }) {
  const { shortcut } = commandOf(id)
  if (shortcut === null) return null
  return <span className="ml-auto text-xs text-muted">{shortcutText(shortcut, platform)}</span>
}

function detailOf(entry: PromptEntry): string {
  if (entry.kind === 'own') return entry.prompt.text
  return entry.kind === 'server' ? entry.found.prompt.description : ''
}

function keyOf(entry: PromptEntry): string {
  switch (entry.kind) {
    case 'own':
      return entry.prompt.id
    case 'edit':
      return entry.kind
    case 'command':
      return entry.id
    case 'server':
      return `${entry.found.serverId} ${entry.found.prompt.name}`
  }
}

/** The list is longer than what is shown of it. */
function showActive(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' })
}

/** A value that a prompt asks for. */
export interface PromptField {
  name: string
  label: string
  hint: string
  isRequired: boolean
}

interface PromptVariablesProps {
  title: string
  fields: readonly PromptField[]
  isRunning: boolean
  onFill: (values: Readonly<Record<string, string>>) => void
  onCancel: () => void
}

/** Asks for the values of a prompt's variables. */
export function PromptVariables(props: PromptVariablesProps) {
  const { title, fields, isRunning, onFill, onCancel } = props
  const [values, setValues] = useState<Record<string, string>>({})
  return (
    <Form
      aria-label={title}
      className="flex flex-col gap-3 rounded-xl border border-line bg-raised p-3 shadow-lg"
      onSubmit={() => onFill(values)}
    >
      <div className="grid max-h-64 gap-3 overflow-y-auto p-1 @min-[30rem]:grid-cols-2">
        {fields.map(({ name, label, hint, isRequired }, position) => (
          <TextField
            key={name}
            label={label}
            hint={hint}
            required={isRequired}
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
        <Button size="small" look="primary" type="submit" disabled={isRunning}>
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
