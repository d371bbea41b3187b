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
      if (input) input.value = ''
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

/** Reads the key and leaves it in the field, because an attempt may fail. Closing the form clears it. */
export function readSecret(field: RefObject<HTMLInputElement | null>): string {
  return field.current?.value.trim() ?? ''
}

/** Sets the property, which React tracks. Resetting the form would leave React's last seen value. */
export function clearSecret(field: RefObject<HTMLInputElement | null>): void {
  if (field.current) field.current.value = ''
}

/** The ref of a `SecretField`. */
export function useSecretField(): RefObject<HTMLInputElement | null> {
  return useRef<HTMLInputElement>(null)
}
