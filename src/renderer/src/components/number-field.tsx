import type { ComponentProps } from 'react'
import { TextField } from './field.tsx'

interface NumberFieldProps extends Omit<
  ComponentProps<typeof TextField>,
  'onChange' | 'inputMode' | 'value'
> {
  /** Shown in the label: "Daily budget" and "US dollars" give "Daily budget (US dollars)". */
  unit?: string | undefined
  /** Whether only whole numbers make sense. */
  isWhole?: boolean
  /** The input as text. `readNumber` converts it when the form is saved. */
  value: string
  onChange: (text: string) => void
}

/**
 * A field for a number. It accepts any text, because the service checks the bounds and its message is
 * shown as `error`.
 */
export function NumberField(props: NumberFieldProps) {
  const { label, unit, isWhole = false, onChange, ...field } = props
  return (
    <TextField
      {...field}
      label={unit === undefined ? label : `${label} (${unit})`}
      inputMode={isWhole ? 'numeric' : 'decimal'}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
