import type { ComponentProps } from 'react'

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  /** Called in place of loading the page that a form is sent to. */
  onSubmit: () => void
}

/** A form whose fields stand below each other, or as `className` says. */
export function Form({ onSubmit, className = 'flex flex-col gap-4', ...props }: FormProps) {
  return (
    <form
      {...props}
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    />
  )
}
