import { ListPlus, SendHorizontal, Square } from 'lucide-react'
import { t } from '../../../../shared/strings/strings.ts'
import { Button } from '../../components/button.tsx'
import { tooltipOf } from '../../shell/commands.ts'
import { stopAnswer } from '../../stores/chat.ts'

interface SendButtonsProps {
  /** The ids of answers that arrive. */
  arriving: readonly string[]
  canSend: boolean
  focus: () => void
}

/** Sends the message; while an answer arrives, stops it or queues the message. */
export function SendButtons({ arriving, canSend, focus }: SendButtonsProps) {
  if (arriving.length === 0) {
    return (
      <Button look="primary" type="submit" disabled={!canSend}>
        <SendHorizontal size={14} aria-hidden /> {t('Send')}
      </Button>
    )
  }
  return (
    <>
      <Button
        title={tooltipOf('stop')}
        onClick={() => {
          arriving.forEach(stopAnswer)
          // The button goes away with the answer.
          focus()
        }}
      >
        <Square size={12} aria-hidden fill="currentColor" /> {t('Stop')}
      </Button>
      {canSend && (
        <Button look="primary" type="submit" title={t('Sends it when the answer ends')}>
          <ListPlus size={14} aria-hidden /> {t('Queue')}
        </Button>
      )}
    </>
  )
}
