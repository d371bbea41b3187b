import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useRef, type ReactNode, type RefObject } from 'react'
import { Button, buttonClass } from './button.tsx'
import { ErrorNote } from './error-note.tsx'
import { useAction } from './use-action.ts'
import { t } from '../../../shared/strings/strings.ts'

interface ConfirmDialogProps {
  title: string
  description: ReactNode
  /** The label of the confirming button. */
  action: string
  /** The same while the action runs. */
  runningAction?: string
  /** Gives the confirming button the primary look instead of the danger look. */
  isHarmless?: boolean
  onConfirm: () => Promise<void>
  onClose: () => void
  /** Shown below the description. */
  children?: ReactNode
}

/**
 * Asks for confirmation. Stays open while the action runs, because closing the dialog would not cancel it, and shows the
 * error when it fails.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, action, runningAction, isHarmless = false, children } = props
  const { onConfirm, onClose } = props
  const cancel = useRef<HTMLButtonElement>(null)
  const { run, isRunning, error } = useAction(async () => {
    await onConfirm()
    onClose()
  })
  return (
    <AlertDialog.Root
      open
      onOpenChange={(open) => {
        if (!open && !isRunning) onClose()
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-20 bg-backdrop" />
        <AlertDialog.Viewport className="fixed inset-0 z-20 flex items-center justify-center p-6">
          <AlertDialog.Popup
            initialFocus={cancel}
            className="flex w-full max-w-md flex-col gap-3 rounded-xl border border-line bg-raised p-5 shadow-2xl"
          >
            <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
            <AlertDialog.Description className="text-sm text-muted">
              {description}
            </AlertDialog.Description>
            {children}
            {error && <ErrorNote error={error} />}
            <ConfirmButtons
              cancel={cancel}
              action={isRunning ? (runningAction ?? action) : action}
              look={isHarmless ? 'primary' : 'danger'}
              isRunning={isRunning}
              onConfirm={() => run()}
            />
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

interface ConfirmButtonsProps {
  cancel: RefObject<HTMLButtonElement | null>
  action: string
  look: 'primary' | 'danger'
  isRunning: boolean
  onConfirm: () => void
}

/** The buttons of a confirmation. Neither can be clicked while the action runs. */
export function ConfirmButtons({ cancel, action, look, ...props }: ConfirmButtonsProps) {
  const { isRunning, onConfirm } = props
  return (
    <div className="mt-2 flex justify-end gap-2">
      <AlertDialog.Close ref={cancel} disabled={isRunning} className={buttonClass('plain')}>
        {t('Cancel')}
      </AlertDialog.Close>
      <Button look={look} disabled={isRunning} onClick={onConfirm}>
        {action}
      </Button>
    </div>
  )
}
