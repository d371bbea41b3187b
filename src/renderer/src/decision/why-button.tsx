import { useState } from 'react'
import { WhyDialog } from './why-dialog.tsx'
import { t } from '../../../shared/strings/strings.ts'

interface WhyButtonProps {
  requestId: string
  className: string
}

/** Opens the explanation of a routing decision. */
export function WhyButton({ requestId, className }: WhyButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-label={t('Why this model?')}
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
