import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { buttonClass } from './button.tsx'
import { PopupContext } from './popup-layer.tsx'
import { t } from '../../../shared/strings/strings.ts'

interface DialogProps {
  title: string
  description?: ReactNode
  onClose: () => void
  children: ReactNode
  /** A click outside does not close the dialog. */
  isHeld?: boolean
  /** Wide enough for a table. */
  isWide?: boolean
}

/** A modal dialog that is open while it is rendered. */
export function Dialog(props: DialogProps) {
  const { title, description, onClose, children, isHeld = false, isWide = false } = props
  const popups = useRef<HTMLDivElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  return (
    <BaseDialog.Root
      open
      disablePointerDismissal={isHeld}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-10 bg-backdrop" />
        <BaseDialog.Viewport className="fixed inset-0 z-10 flex items-center justify-center p-6">
          <BaseDialog.Popup
            ref={popup}
            initialFocus={() => firstField(popup.current) ?? true}
            className={`flex max-h-full w-full flex-col gap-4 overflow-y-auto rounded-xl border border-line bg-raised p-5 shadow-2xl ${isWide ? 'max-w-3xl' : 'max-w-lg'}`}
          >
            <div className="flex items-start justify-between gap-4">
              <BaseDialog.Title className="text-lg font-semibold">{title}</BaseDialog.Title>
              <BaseDialog.Close aria-label={t('Close')} className={buttonClass('quiet', 'icon')}>
                <X size={16} aria-hidden />
              </BaseDialog.Close>
            </div>
            {description && (
              <BaseDialog.Description className="-mt-2 text-sm text-muted">
                {description}
              </BaseDialog.Description>
            )}
            <PopupContext value={popups}>{children}</PopupContext>
            <div ref={popups} className="contents" />
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

/** Selects text fields, but not the hidden inputs of drop-downs. */
const textFields = 'input:not([type=checkbox], [type=radio], [aria-hidden]), textarea'

/** The element to focus first: a marked one, otherwise the first text field. */
function firstField(popup: HTMLElement | null): HTMLElement | null {
  const marked = popup?.querySelector<HTMLElement>('[data-first-focus]')
  return marked ?? popup?.querySelector<HTMLElement>(textFields) ?? null
}
