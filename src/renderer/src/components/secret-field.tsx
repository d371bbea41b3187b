import { useEffect, useRef, type RefObject } from 'react'
import { Field, inputClass } from './field.tsx'

interface SecretFieldProps {
  label: string
  hint?: React.ReactNode
  error?: string | null
  field: RefObject<HTMLInputElement | null>
}

/**
 * A field for a provider's key. Nobody but the input element holds what is typed: it is uncontrolled
 * and not of the component library, which would keep its own copy.
 */
export function SecretField({ label, hint, error, field }: SecretFieldProps) {
  useEffect(() => {
    const input = field.current
    return () => {
      if (input) clearSecret(input)
    }
  }, [field])
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <input
          {...ids}
          ref={field}
          type="password"
          autoComplete="off"
          spellCheck={false}
          className={`${inputClass} font-mono`}
        />
      )}
    </Field>
  )
}

/** What stands in the field, taken out of it: there is no copy but the result. */
export function takeSecret(field: RefObject<HTMLInputElement | null>): string {
  const secret = field.current?.value.trim() ?? ''
  if (field.current) clearSecret(field.current)
  return secret
}

/** Through the property, which React watches: a form's reset would leave its last seen value. */
function clearSecret(input: HTMLInputElement): void {
  input.value = ''
}

/** The handle of a `SecretField`. */
export function useSecretField(): RefObject<HTMLInputElement | null> {
  return useRef<HTMLInputElement>(null)
}
