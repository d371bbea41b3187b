import type { ComponentProps } from 'react'

const looks = {
  primary: 'bg-accent text-on-accent hover:not-disabled:bg-accent-strong border-transparent',
  plain: 'bg-surface text-ink border-line hover:not-disabled:bg-hover',
  quiet: 'bg-transparent text-ink border-transparent hover:not-disabled:bg-hover',
  danger: 'bg-bad text-on-bad border-transparent hover:not-disabled:opacity-90',
} as const

const sizes = {
  normal: 'h-8 gap-1.5 px-3 text-sm',
  small: 'h-7 gap-1 px-2 text-xs',
  icon: 'size-7',
} as const

export interface ButtonProps extends ComponentProps<'button'> {
  look?: keyof typeof looks
  size?: keyof typeof sizes
}

/** The classes of a button, for links that look like one. */
export function buttonClass(look: keyof typeof looks, size: keyof typeof sizes = 'normal'): string {
  return `inline-flex shrink-0 items-center justify-center rounded-md border font-medium whitespace-nowrap transition-colors disabled:opacity-55 ${looks[look]} ${sizes[size]}`
}

export function Button({ look = 'plain', size = 'normal', className = '', ...rest }: ButtonProps) {
  return <button type="button" className={`${buttonClass(look, size)} ${className}`} {...rest} />
}

/** A button that shows only an icon; `label` is its accessible name and its tooltip. */
export function IconButton({ label, ...rest }: ButtonProps & { label: string }) {
  return <Button look="quiet" size="icon" aria-label={label} title={label} {...rest} />
}
