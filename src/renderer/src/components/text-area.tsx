import type { ComponentProps } from 'react'
import { Field, inputClass } from './field.tsx'

type TextAreaProps = Omit<ComponentProps<typeof Field>, 'children'> & ComponentProps<'textarea'>

/** A labelled text field of several lines, which grows with its text. */
export function TextArea({ label, hint, error, ...input }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <textarea
          {...input}
          {...ids}
          className={`${inputClass} field-sizing-content h-auto max-h-[40vh] min-h-24 resize-none py-1.5 leading-5`}
        />
      )}
    </Field>
  )
}
