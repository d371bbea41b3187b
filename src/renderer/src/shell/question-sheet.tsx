import { useState } from 'react'
import type {
  QuestionField,
  QuestionValues,
  ServerQuestion,
} from '../../../shared/chat/tool-approvals.ts'
import { t } from '../../../shared/strings/strings.ts'
import { Button, buttonClass } from '../components/button.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { Dialog } from '../components/dialog.tsx'
import { TextField } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Select } from '../components/select.tsx'
import { decideTool } from '../stores/mcp-servers.ts'

interface QuestionSheetProps {
  id: string
  conversationTitle: string
  question: ServerQuestion
}

type Value = QuestionValues[string]

/** What a server asks the person while its tool runs. Closing it declines. */
export function QuestionSheet({ id, conversationTitle, question }: QuestionSheetProps) {
  const { server, message, fields, url } = question
  const [isDecided, setIsDecided] = useState(false)
  const [values, setValues] = useState(() => initialValues(fields))
  const decide = (sent: QuestionValues | null) => {
    setIsDecided(true)
    void decideTool(id, sent === null ? 'deny' : 'once', { values: sent ?? {} })
  }
  return (
    <Dialog
      title={t('“{server}” asks you', { server })}
      description={
        <span className="flex flex-col gap-3">
          <span>{t('Conversation: {title}', { title: conversationTitle })}</span>
          <span className="block max-h-[30vh] overflow-y-auto rounded-lg bg-sunken p-2.5 wrap-anywhere whitespace-pre-wrap text-ink">
            {message}
          </span>
          <span>
            {t(
              'This text is the server’s own. A server must not ask for passwords, keys or card numbers here.',
            )}
          </span>
          {url !== null && <span className="font-mono text-xs wrap-anywhere text-ink">{url}</span>}
        </span>
      }
      onClose={() => decide(null)}
      isHeld
      isWide
    >
      <Form className="flex flex-col gap-3" onSubmit={() => decide(sentValues(fields, values))}>
        {fields.map((field) => (
          <AskedField
            key={field.name}
            field={field}
            value={values[field.name]}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
        <div className="flex flex-wrap justify-end gap-2">
          <Button data-first-focus="" disabled={isDecided} onClick={() => decide(null)}>
            {t('Decline')}
          </Button>
          {url === null ? (
            <Button look="primary" type="submit" disabled={isDecided}>
              {t('Send')}
            </Button>
          ) : (
            // The main process shows the whole address again before the browser opens.
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className={buttonClass('primary')}
              onClick={() => decide({})}
            >
              {t('Open address…')}
            </a>
          )}
        </div>
      </Form>
    </Dialog>
  )
}

interface AskedFieldProps {
  field: QuestionField
  value: Value | undefined
  onChange: (value: Value) => void
}

function AskedField({ field, value, onChange }: AskedFieldProps) {
  const { kind, label, hint, choices } = field
  switch (kind) {
    case 'boolean':
      return <Checkbox {...{ label, hint, onChange }} checked={value === true} />
    case 'choice': {
      const chosen = typeof value === 'string' ? value : null
      return <Select {...{ label, choices, onChange }} value={chosen} />
    }
    case 'array':
      return <Choices {...{ field, onChange }} chosen={Array.isArray(value) ? value : []} />
    case 'number':
    case 'integer':
      return (
        <TextField
          {...{ label, hint, ...rangeOf(field) }}
          type="number"
          step={kind === 'number' ? 'any' : 1}
          required={field.isRequired}
          value={String(value ?? '')}
          onChange={({ target }) => onChange(target.value)}
        />
      )
    case 'string':
      return (
        <TextField
          {...{ label, hint }}
          type={field.format === null ? 'text' : inputTypes[field.format]}
          minLength={field.minimum ?? 0}
          maxLength={Math.min(field.maximum ?? longestValue, longestValue)}
          required={field.isRequired}
          autoComplete="off"
          value={String(value ?? '')}
          onChange={({ target }) => onChange(target.value)}
        />
      )
  }
}

const longestValue = 10_000
const inputTypes = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' }

function rangeOf({ minimum, maximum }: QuestionField) {
  return { min: minimum ?? undefined, max: maximum ?? undefined }
}

interface ChoicesProps {
  field: QuestionField
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

function Choices({ field: { label, choices }, chosen, onChange }: ChoicesProps) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="text-sm font-medium">{label}</legend>
      {choices.map((choice) => (
        <Checkbox
          key={choice.value}
          label={choice.label}
          checked={chosen.includes(choice.value)}
          onChange={(isChosen) => {
            const others = chosen.filter((one) => one !== choice.value)
            onChange(isChosen ? [...others, choice.value] : others)
          }}
        />
      ))}
    </fieldset>
  )
}

function initialValues(fields: readonly QuestionField[]): QuestionValues {
  const known = fields.flatMap(({ name, kind, initial }): [string, Value][] => {
    if (initial === null) return kind === 'boolean' ? [[name, false]] : []
    return [[name, typeof initial === 'object' ? [...initial] : initial]]
  })
  return Object.fromEntries(known)
}

/** Without empty values, which the server gets as absent. */
function sentValues(fields: readonly QuestionField[], values: QuestionValues): QuestionValues {
  const sent = fields.flatMap(({ name, kind, format }): [string, Value][] => {
    const value = values[name]
    if (value === undefined || value === '') return []
    if (kind === 'number' || kind === 'integer') return [[name, Number(value)]]
    // A field of the browser has no time zone, and the protocol's form needs one.
    if (format === 'date-time') return [[name, new Date(String(value)).toISOString()]]
    return [[name, value]]
  })
  return Object.fromEntries(sent)
}
