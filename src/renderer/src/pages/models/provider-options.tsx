import type { ProviderOption } from '../../../../shared/models/provider-type.ts'
import { Disclosure } from '../../components/disclosure.tsx'
import { Field, inputClass, TextField } from '../../components/field.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** The input by option name. Options with any name (`header.*`) are one text of several lines. */
export type TypedOptions = Readonly<Record<string, string>>

/** Separators between name and value in a line of `header.*` or `model.*`. */
const separators: Readonly<Record<string, string>> = { 'header.*': ':', 'model.*': '=' }

interface ProviderOptionsProps {
  options: readonly ProviderOption[]
  typed: TypedOptions
  onType: (typed: TypedOptions) => void
  error: string | null
}

/** The options of a provider type, collapsed by default. */
export function ProviderOptions({ options, typed, onType, error }: ProviderOptionsProps) {
  if (options.length === 0) return null
  return (
    <Disclosure title={t('Options')} hasError={error !== null}>
      <div className="flex flex-col gap-3">
        {options.map(({ name, label, hint }) =>
          name in separators ? (
            <Field key={name} label={label} hint={hint}>
              {(ids) => (
                <textarea
                  {...ids}
                  rows={2}
                  value={typed[name] ?? ''}
                  onChange={(event) => onType({ ...typed, [name]: event.target.value })}
                  className={`${inputClass} h-auto py-1.5 font-mono text-xs`}
                />
              )}
            </Field>
          ) : (
            <TextField
              key={name}
              label={label}
              hint={hint}
              value={typed[name] ?? ''}
              onChange={(event) => onType({ ...typed, [name]: event.target.value })}
            />
          ),
        )}
        {error !== null && (
          <p role="alert" className="text-xs text-bad">
            {error}
          </p>
        )}
      </div>
    </Disclosure>
  )
}

/** The filled options of the type. A line without a separator has no value, and the service rejects it. */
export function toOptions(
  options: readonly ProviderOption[],
  typed: TypedOptions,
): Record<string, string> {
  const given = options.flatMap(({ name }): [string, string][] => {
    const text = typed[name]?.trim() ?? ''
    if (text === '') return []
    return name in separators
      ? text
          .split('\n')
          .filter(hasText)
          .map((line) => toNamed(name, line))
      : [[name, text]]
  })
  return Object.fromEntries(given)
}

/** The inverse of `toOptions`: what the form shows for a provider's options. */
export function toTyped(options: Readonly<Record<string, string>>): TypedOptions {
  const typed: Record<string, string> = {}
  for (const [name, value] of Object.entries(options)) {
    const list = Object.keys(separators).find((any) => name.startsWith(any.slice(0, -1)))
    if (list === undefined) {
      typed[name] = value
      continue
    }
    const separator = separators[list] === '=' ? ' = ' : ': '
    const line = `${name.slice(list.length - 1)}${separator}${value}`
    typed[list] = [...(typed[list]?.split('\n') ?? []), line].join('\n')
  }
  return typed
}

function hasText(line: string): boolean {
  return line.trim() !== ''
}

function toNamed(list: string, line: string): [string, string] {
  const separator = line.indexOf(separators[list] ?? ':')
  const end = separator === -1 ? line.length : separator
  return [`${list.slice(0, -1)}${line.slice(0, end).trim()}`, line.slice(end + 1).trim()]
}
