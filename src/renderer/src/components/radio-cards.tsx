import { useId } from 'react'
import type { Choice } from './select.tsx'

interface RadioCardsProps<Value extends string> {
  label: string
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
  error?: string | null
}

/** One of a few, all in sight with what each means. */
export function RadioCards<Value extends string>(props: RadioCardsProps<Value>) {
  const { label, choices, value, onChange, error } = props
  const id = useId()
  return (
    <fieldset
      className="flex flex-col gap-1.5"
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-2">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="flex gap-2.5 rounded-lg border border-line bg-surface px-3 py-2 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
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
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="text-xs text-bad first-letter:uppercase">
          {error}
        </p>
      )}
    </fieldset>
  )
}
