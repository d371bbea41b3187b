/** Form fields that are bound to a place in a definition. */
import { useId, useState } from 'react'
import { parse, stringify } from 'yaml'
import { ErrorText, Field, inputClass, TextField } from '../../components/field.tsx'
import { NumberField } from '../../components/number-field.tsx'
import type { Path } from './draft.ts'
import { elementId, issueOf, useEditor } from './use-editor.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface DraftFieldProps {
  /** Path of the object that holds the field. */
  at: Path
  name: string
  /** The current value. */
  value: unknown
  label: string
  hint?: string | undefined
  placeholder?: string
}

const areaClass =
  'field-sizing-content max-h-72 min-h-16 w-full rounded-md border border-edge bg-surface px-2.5 py-1.5 font-mono text-xs leading-5 text-ink placeholder:text-muted aria-invalid:border-bad'

/** One line of text. An empty value removes the field. */
export function DraftText({
  at,
  name,
  value,
  list,
  ...field
}: DraftFieldProps & { list?: string }) {
  const editor = useEditor()
  const path = [...at, name]
  return (
    <TextField
      {...field}
      list={list}
      spellCheck={false}
      value={textOf(value)}
      error={issueOf(editor, path)}
      onChange={({ target }) => editor.set(path, target.value === '' ? undefined : target.value)}
    />
  )
}

/** A text of several lines, such as a template. */
export function DraftArea(props: DraftFieldProps & { isNeeded?: boolean }) {
  const { at, name, value, label, hint, placeholder, isNeeded = false } = props
  const editor = useEditor()
  const path = [...at, name]
  return (
    <Field label={label} hint={hint} error={issueOf(editor, path)}>
      {(ids) => (
        <textarea
          {...ids}
          spellCheck={false}
          placeholder={placeholder}
          value={textOf(value)}
          onChange={({ target }) => {
            const isGone = target.value === '' && !isNeeded
            editor.set(path, isGone ? undefined : target.value)
          }}
          className={areaClass}
        />
      )}
    </Field>
  )
}

/** A number. Other input goes into the source as typed, and validation reports it. */
export function DraftNumber({ at, name, value, ...field }: DraftFieldProps) {
  const editor = useEditor()
  const path = [...at, name]
  const [typed, setTyped] = useState(textOf(value))
  const shown = valueOf(typed) === value ? typed : textOf(value)
  return (
    <NumberField
      {...field}
      value={shown}
      error={issueOf(editor, path)}
      onChange={(text) => {
        setTyped(text)
        editor.set(path, valueOf(text))
      }}
    />
  )
}

function valueOf(typed: string): unknown {
  const text = typed.trim()
  if (text === '') return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}

/** A step's id. Other steps refer to it, so it changes only when editing ends. */
export function DraftId({
  at,
  value,
  onRename,
}: {
  at: Path
  value: string
  onRename: (id: string) => void
}) {
  const editor = useEditor()
  const errorId = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const error = issueOf(editor, [...at, 'id'])
  function commit(): void {
    if (typed !== null && typed !== value) onRename(typed)
    setTyped(null)
  }
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={elementId('first', at)} className="text-sm font-medium">
        {t('Id')}
      </label>
      <input
        id={elementId('first', at)}
        value={typed ?? value}
        spellCheck={false}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : errorId}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={commit}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit()
          if (key === 'Escape') setTyped(null)
        }}
        className={`${inputClass} font-mono`}
      />
      <ErrorText id={errorId}>{error}</ErrorText>
    </div>
  )
}

/** A JSON Schema in YAML or JSON. It is applied once it can be parsed. */
export function DraftSchema({ at, value }: { at: Path; value: unknown }) {
  const editor = useEditor()
  const path = [...at, 'json_schema']
  const [typed, setTyped] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  function commit(): void {
    if (typed === null) return
    const read = readSchema(typed)
    setProblem(read.ok ? null : t('Enter valid JSON or YAML'))
    if (!read.ok) return
    setTyped(null)
    editor.set(path, read.value)
  }
  return (
    <Field
      label={t('JSON Schema of the answer')}
      hint={t(
        'The answer must be JSON that matches this schema. Modelport retries once if it does not. Optional.',
      )}
      error={problem ?? issueOf(editor, path)}
    >
      {(ids) => (
        <textarea
          {...ids}
          spellCheck={false}
          value={typed ?? (value === undefined ? '' : stringify(value).trimEnd())}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={commit}
          className={areaClass}
        />
      )}
    </Field>
  )
}

function readSchema(text: string): { ok: true; value: unknown } | { ok: false } {
  if (text.trim() === '') return { ok: true, value: undefined }
  try {
    const value: unknown = parse(text)
    return { ok: true, value }
  } catch {
    return { ok: false }
  }
}

/** A value as field text; empty for lists and objects. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
