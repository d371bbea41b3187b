import { useId, type ComponentProps, type ReactNode } from 'react'

export const inputClass =
  'h-8 w-full rounded-md border border-edge bg-surface px-2.5 text-sm text-ink placeholder:text-muted aria-invalid:border-bad'

interface FieldProps {
  label: string
  hint?: ReactNode
  /** The validation message for this field. */
  error?: string | null | undefined
}

/** Connects a control with its label, hint and error. `children` gets the ids. */
export function Field({
  label,
  hint,
  error,
  children,
}: FieldProps & {
  children: (ids: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': boolean
  }) => ReactNode
}) {
  const id = useId()
  const describedBy = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].join(' ').trim()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': Boolean(error),
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
      <ErrorText id={`${id}-error`}>{error}</ErrorText>
    </div>
  )
}

/** The validation message below a field. Renders nothing without a message. */
export function ErrorText({ id, children }: { id?: string; children: string | null | undefined }) {
  if (!children) return null
  return (
    <p id={id} role="alert" className="text-xs text-bad first-letter:uppercase">
      {children}
    </p>
  )
}

/** A labelled single-line text field. */
export function TextField({ label, hint, error, ...input }: FieldProps & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <input {...input} {...ids} className={`${inputClass} ${input.className ?? ''}`} />}
    </Field>
  )
}
