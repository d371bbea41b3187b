import { useEffect, useRef, useState } from 'react'
import type {
  PreviewArea,
  PreviewLanguage,
  PreviewState,
} from '../../../shared/chat/code-preview.ts'
import { t } from '../../../shared/strings/strings.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { ErrorNote, Note } from '../components/error-note.tsx'
import { call, listen, toCallError, type CallError } from '../stores/client.ts'
import { useToolApprovals } from '../stores/mcp-servers.ts'

interface PreviewDialogProps {
  language: PreviewLanguage
  text: string
  onClose: () => void
}

/** HTML or SVG of an answer, as a browser shows it. */
export function PreviewDialog(props: PreviewDialogProps) {
  return (
    <Dialog
      title={t('Preview')}
      description={t('Scripts do not run, and nothing is loaded from the network.')}
      isWide
      onClose={props.onClose}
    >
      <PreviewPlace {...props} />
    </Dialog>
  )
}

/**
 * Keeps a place free, above which the main process shows the code in a view of its own (src/main/code-preview.ts). A component
 * of its own, because the dialog's content appears after the dialog.
 */
function PreviewPlace({ language, text, onClose }: PreviewDialogProps) {
  const place = useRef<HTMLDivElement>(null)
  const { state, error } = usePreview(place, { language, text })
  const isAsked = useToolApprovals(({ open }) => open.length > 0)
  const isOver = state === 'closing' || isAsked
  useEffect(() => {
    // The view would cover a question about a tool.
    if (isOver) onClose()
  }, [isOver, onClose])
  return (
    <>
      {error && <ErrorNote error={error} />}
      {state === 'stuck' && (
        <Note kind="warn">
          <span className="min-w-0 flex-1">{t('The preview does not answer.')}</span>
          <Button size="small" onClick={onClose}>
            {t('Close')}
          </Button>
        </Note>
      )}
      {state === 'ended' && <Note kind="bad">{t('The preview ended because of an error.')}</Note>}
      <div ref={place} data-preview-place="" className="h-[min(36rem,55vh)] min-h-24" />
      <div className="flex items-center gap-3 text-xs text-muted">
        <Button size="small" onClick={() => void call('preview:focus')}>
          {t('Go into the preview')}
        </Button>
        <p>{t('In it, F6 leads back here, and Esc closes it.')}</p>
      </div>
    </>
  )
}

/** Opens the view over a place of the page, and keeps it there until this component goes away. */
function usePreview(
  place: React.RefObject<HTMLDivElement | null>,
  { language, text }: Pick<PreviewDialogProps, 'language' | 'text'>,
): { state: PreviewState; error: CallError | null } {
  const [state, setState] = useState<PreviewState>('working')
  const [error, setError] = useState<CallError | null>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const follow = () => void call('preview:place', areaOf(element))
    const observer = new ResizeObserver(follow)
    const moves = ['resize', 'scroll'] as const
    const stop = listen('preview', setState)
    call('preview:open', { language, text, area: areaOf(element) }).catch((reason: unknown) =>
      setError(toCallError(reason)),
    )
    observer.observe(element)
    // A note above it can move the place without a change of its size.
    if (element.parentElement) observer.observe(element.parentElement)
    for (const move of moves) window.addEventListener(move, follow, true)
    return () => {
      observer.disconnect()
      for (const move of moves) window.removeEventListener(move, follow, true)
      stop()
      void call('preview:close')
    }
  }, [place, language, text])
  return { state, error }
}

function areaOf(element: Element): PreviewArea {
  const { x, y, width, height } = element.getBoundingClientRect()
  return { x, y, width, height }
}
