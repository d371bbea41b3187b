import { useId } from 'react'
import { ErrorText } from './field.tsx'
import type { Choice } from './select.tsx'

interface RadioCardsProps<Value extends string> {
  label: string
  /** Hides the label; it remains the accessible name. */
  isLabelHidden?: boolean
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
  error?: string | null
  /** Figures under the explanations. */
  notes?: Partial<Record<Value, string>>
  /** Wide enough for a sentence with each choice. */
  isWide?: boolean
}

/** A single choice among a few, each with an explanation. */
export function RadioCards<Value extends string>(props: RadioCardsProps<Value>) {
  const { label, isLabelHidden, choices, value, onChange, error, notes, isWide = false } = props
  const id = useId()
  return (
    <fieldset
      className="flex flex-col gap-1.5"
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend className={isLabelHidden ? 'sr-only' : 'mb-1.5 text-sm font-medium'}>{label}</legend>
      <div
        className={`grid gap-2 ${isWide ? 'grid-cols-[repeat(auto-fill,minmax(12rem,1fr))]' : 'grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))]'}`}
      >
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="flex gap-2.5 rounded-lg border border-line bg-surface px-3 py-2 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent forced-colors:has-checked:outline-2 forced-colors:has-checked:outline-[Highlight]"
          >
            <input
              type="radio"
              name={id}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              aria-describedby={choice.hint ? `${id}-${choice.value}` : undefined}
              className="mt-[0.2rem] self-start accent-accent outline-none"
            />
            <span className="flex flex-col">
              {choice.label}
              {choice.hint && (
                <span id={`${id}-${choice.value}`} className="text-xs text-muted">
                  {choice.hint}
                </span>
              )}
              {notes?.[choice.value] !== undefined && (
                <span className="mt-1 text-xs font-medium tabular-nums">{notes[choice.value]}</span>
              )}
            </span>
          </label>
        ))}
      </div>
      <ErrorText id={`${id}-error`}>{error}</ErrorText>
    </fieldset>
  )
}
