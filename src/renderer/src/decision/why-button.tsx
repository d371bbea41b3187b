import { useState } from 'react'
import { WhyDialog } from './why-dialog.tsx'
import { t } from '../../../shared/strings/strings.ts'

interface WhyButtonProps {
  requestId: string
  /** Distinguishes the button for screen readers: "openai:gpt-5, 12:34:56". */
  of?: string
  className: string
}

/** Opens the explanation of a routing decision. */
export function WhyButton({ requestId, of = '', className }: WhyButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-label={of === '' ? t('Why this model?') : t('Why this model? {of}', { of })}
        aria-haspopup="dialog"
        className={className}
        onClick={() => setIsOpen(true)}
      >
        {t('Why?')}
      </button>
      {isOpen && <WhyDialog requestId={requestId} onClose={() => setIsOpen(false)} />}
    </>
  )
}
