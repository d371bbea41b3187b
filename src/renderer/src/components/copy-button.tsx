import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, IconButton, type ButtonProps } from './button.tsx'
import { t } from '../../../shared/strings/strings.ts'

/** How long the button shows "Copied". */
const copiedMs = 1600

interface CopyButtonProps {
  /** A function is called on click, so that a secret need not be a prop. */
  text: string | (() => string | Promise<string>)
  /** Names the text: "router id" gives the accessible name "Copy router id". */
  what: string
  /** Shown beside the icon, and the beginning of the accessible name. */
  label?: string
  /** Size of a button with a label. */
  size?: ButtonProps['size']
  onCopied?: (() => void) | undefined
}

export function CopyButton({ text, what, label, size = 'normal', onCopied }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(null), copiedMs)
    return () => clearTimeout(timer)
  }, [outcome])

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
    } catch {
      setOutcome('failed')
      return
    }
    setOutcome('copied')
    onCopied?.()
  }

  const icon =
    outcome === 'copied' ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />
  const said = outcome === 'copied' ? t('Copied') : outcome === 'failed' ? t('Copy failed') : ''
  return (
    <>
      {label !== undefined ? (
        <Button size={size} onClick={() => void copy()} aria-label={`${label} ${what}`}>
          {icon} {said || label}
        </Button>
      ) : (
        <IconButton label={t('Copy {what}', { what })} onClick={() => void copy()}>
          {icon}
        </IconButton>
      )}
      <span role="status" className="sr-only">
        {said && `${said} ${what}`}
      </span>
    </>
  )
}
