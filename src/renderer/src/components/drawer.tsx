import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { buttonClass } from './button.tsx'
import { PopupContext } from './popup-layer.tsx'
import { t } from '../../../shared/strings/strings.ts'

interface DrawerProps {
  title: string
  side: 'left' | 'right'
  onClose: () => void
  children: ReactNode
}

const sides = { left: 'left-0 border-r', right: 'right-0 border-l' } as const

/** A panel over the edge of a narrow window, open while it is rendered. Escape and a click outside close it. */
export function Drawer({ title, side, onClose, children }: DrawerProps) {
  const popups = useRef<HTMLDivElement>(null)
  return (
    <Dialog.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-10 bg-backdrop" />
        <Dialog.Popup
          className={`fixed inset-y-0 z-10 flex w-80 max-w-[calc(100%-3rem)] flex-col border-line bg-surface shadow-2xl ${sides[side]}`}
        >
          <div className="flex h-14 shrink-0 items-center justify-between gap-3 border-b border-line pr-3 pl-4">
            <Dialog.Title className="min-w-0 truncate text-sm font-semibold">{title}</Dialog.Title>
            <Dialog.Close aria-label={t('Close')} className={buttonClass('quiet', 'icon')}>
              <X size={16} aria-hidden />
            </Dialog.Close>
          </div>
          <PopupContext value={popups}>
            <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">{children}</div>
          </PopupContext>
          <div ref={popups} className="contents" />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
