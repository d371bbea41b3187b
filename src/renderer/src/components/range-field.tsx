import type { ReactNode } from 'react'
import { Field } from './field.tsx'

interface RangeFieldProps {
  label: string
  /** The value as text, for the eye and for screen readers. */
  valueText: string
  hint?: ReactNode
  error?: string | null
  value: number
  min: number
  max: number
  step: number
  onChange: (value: number) => void
}

/** A slider. */
export function RangeField(props: RangeFieldProps) {
  const { label, valueText, hint, error, value, onChange, ...range } = props
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <div className="flex h-8 items-center gap-3">
          <input
            type="range"
            {...range}
            {...ids}
            value={value}
            aria-valuetext={valueText}
            onChange={({ target }) => onChange(target.valueAsNumber)}
            className="min-w-0 flex-1 accent-accent"
          />
          <span aria-hidden className="w-32 shrink-0 text-sm font-medium tabular-nums">
            {valueText}
          </span>
        </div>
      )}
    </Field>
  )
}
