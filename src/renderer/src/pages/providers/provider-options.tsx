import type { ProviderOption } from '../../../../shared/provider-type.ts'
import { Field, inputClass, TextField } from '../../components/field.tsx'

/** The input by option name. Extra headers are one text of several lines. */
export type TypedOptions = Readonly<Record<string, string>>

const anyHeader = 'header.*'

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
    <details open={error !== null || undefined}>
      <summary className="cursor-pointer text-sm font-medium">Options</summary>
      <div className="flex flex-col gap-3 pt-3">
        {options.map(({ name, label, hint }) =>
          name === anyHeader ? (
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
    </details>
  )
}

/** The filled options of the type. A header line without a colon has no value, and the service rejects it. */
export function toOptions(
  options: readonly ProviderOption[],
  typed: TypedOptions,
): Record<string, string> {
  const given = options.flatMap(({ name }): [string, string][] => {
    const text = typed[name]?.trim() ?? ''
    if (text === '') return []
    return name === anyHeader ? text.split('\n').filter(hasText).map(toHeader) : [[name, text]]
  })
  return Object.fromEntries(given)
}

/** The inverse of `toOptions`: what the form shows for a provider's options. */
export function toTyped(options: Readonly<Record<string, string>>): TypedOptions {
  const typed: Record<string, string> = {}
  for (const [name, value] of Object.entries(options)) {
    if (name.startsWith('header.')) {
      const line = `${name.slice('header.'.length)}: ${value}`
      const before = typed[anyHeader]
      typed[anyHeader] = before === undefined ? line : `${before}\n${line}`
    } else typed[name] = value
  }
  return typed
}

function hasText(line: string): boolean {
  return line.trim() !== ''
}

function toHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  const end = colon === -1 ? line.length : colon
  return [`header.${line.slice(0, end).trim()}`, line.slice(end + 1).trim()]
}
