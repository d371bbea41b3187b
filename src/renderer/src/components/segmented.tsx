import { useId } from 'react'

interface SegmentedProps<Value extends string> {
  /** The accessible name. */
  label: string
  choices: readonly { value: Value; label: string; title?: string }[]
  /** Null: none is chosen. */
  value: Value | null
  onChange: (value: Value) => void
}

/** A choice among a few short words in one row. Arrow keys move it. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, choices, value, onChange } = props
  const name = useId()
  return (
    <fieldset className="inline-flex shrink-0 rounded-lg border border-line bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          title={choice.title}
          className="rounded-md px-2.5 py-1 text-xs text-muted hover:text-ink has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-checked:shadow-xs has-focus-visible:outline-2 has-focus-visible:outline-accent forced-colors:has-checked:outline forced-colors:has-checked:outline-[Highlight]"
        >
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            className="sr-only"
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  )
}
