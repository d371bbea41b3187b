import { useId } from 'react'

interface CheckboxProps {
  label: string
  hint?: string | undefined
  checked: boolean
  isDisabled?: boolean
  onChange: (checked: boolean) => void
}

/** A checkbox with an optional explanation. */
export function Checkbox({ label, hint, checked, isDisabled = false, onChange }: CheckboxProps) {
  const id = useId()
  return (
    // In each density, 24 pixels to the next one: the least for a pointer (WCAG 2.5.8).
    <div className="flex min-h-[1.5rem] items-start gap-2 text-sm">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-[0.2rem] accent-accent"
      />
      <span className="flex flex-col">
        <label htmlFor={id} className={isDisabled ? 'text-muted' : ''}>
          {label}
        </label>
        {hint && (
          <span id={`${id}-hint`} className="text-xs text-muted">
            {hint}
          </span>
        )}
      </span>
    </div>
  )
}
