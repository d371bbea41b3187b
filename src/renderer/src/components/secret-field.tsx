import { useEffect, useRef, type RefObject } from 'react'
import { Field, inputClass } from './field.tsx'

interface SecretFieldProps {
  label: string
  hint?: React.ReactNode
  error?: string | null
  field: RefObject<HTMLInputElement | null>
  /** Called once a pasted key is in the field. */
  onPasted?: () => void
}

/**
 * A field for a provider's key. Only the input element holds the key: the input is
 * uncontrolled and does not use the component library, which would keep a copy.
 */
export function SecretField({ label, hint, error, field, onPasted }: SecretFieldProps) {
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
          onPaste={onPasted && (() => void setTimeout(onPasted))}
          className={`${inputClass} font-mono`}
        />
      )}
    </Field>
  )
}

/** Reads the key and leaves it in the field, for an attempt that may fail. */
export function readSecret(field: RefObject<HTMLInputElement | null>): string {
  return field.current?.value.trim() ?? ''
}

/** Reads the key and clears the field. The result is the only copy. */
export function takeSecret(field: RefObject<HTMLInputElement | null>): string {
  const secret = field.current?.value.trim() ?? ''
  if (field.current) clearSecret(field.current)
  return secret
}

/** Sets the property, which React tracks. Resetting the form would leave React's last seen value. */
function clearSecret(input: HTMLInputElement): void {
  input.value = ''
}

/** The ref of a `SecretField`. */
export function useSecretField(): RefObject<HTMLInputElement | null> {
  return useRef<HTMLInputElement>(null)
}
