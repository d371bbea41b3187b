import { useLocation } from '@tanstack/react-router'
import { Undo2, X } from 'lucide-react'
import { useEffect } from 'react'
import { Button, IconButton } from '../components/button.tsx'
import { dismissUndo, runUndo, useUndo } from '../stores/undo.ts'
import { t } from '../../../shared/strings/strings.ts'

/** Offers to undo the last save after its page was left. Ctrl+Z does the same everywhere. */
export function UndoNotice() {
  const { offer, error } = useUndo()
  const { pathname } = useLocation()
  const isOffered = offer !== null
  useEffect(() => (isOffered ? onUndoKey(() => void runUndo()) : undefined), [isOffered])
  if (!offer || offer.path === pathname) return null
  return (
    <div className="pointer-events-auto flex items-center gap-3 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-3 text-sm shadow-xl">
      <p className="min-w-0 flex-1 wrap-anywhere">{error ? error.message : offer.text}</p>
      <Button size="small" onClick={() => void runUndo()}>
        <Undo2 size={13} aria-hidden /> {error ? t('Try again') : t('Undo')}
      </Button>
      <IconButton label={t('Dismiss')} onClick={dismissUndo}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  )
}

/**
 * Listens for the undo keys outside text fields, which have their own undo.
 * @returns a function that stops listening
 */
function onUndoKey(undo: () => void): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, shiftKey, target } = event
    if (key.toLowerCase() !== 'z' || shiftKey || !(ctrlKey || metaKey) || event.defaultPrevented)
      return
    if (target instanceof HTMLTextAreaElement || isTextInput(target)) return
    event.preventDefault()
    undo()
  }
  window.addEventListener('keydown', onKeyDown)
  return () => window.removeEventListener('keydown', onKeyDown)
}

function isTextInput(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && !['radio', 'checkbox', 'range'].includes(target.type)
}
