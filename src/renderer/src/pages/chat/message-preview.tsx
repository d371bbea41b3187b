import { Split, X } from 'lucide-react'
import { useState } from 'react'
import { formatModelAt } from '../../../../shared/strings/format.ts'
import type { Preview } from '../../../../shared/routers/preview.ts'
import { IconButton } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { expectedTexts } from '../../decision/expected-texts.ts'
import { PreviewDialog } from '../../decision/preview-dialog.tsx'
import type { PreviewState } from '../../stores/previews.ts'
import { rich } from '../../components/rich.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** The model that would answer the draft, with the expected figures. */
export function MessagePreview({
  state,
  onClose,
}: {
  state: PreviewState | null
  onClose: () => void
}) {
  return (
    <div role="status" aria-label={t('Preview')}>
      {state?.kind === 'loading' && (
        <p className="px-3 text-xs text-muted">{t('Choosing a model…')}</p>
      )}
      {state?.kind === 'failed' && <ErrorNote error={state.error} />}
      {state?.kind === 'known' && <Expectation preview={state.preview} onClose={onClose} />}
    </div>
  )
}

function Expectation({ preview, onClose }: { preview: Preview; onClose: () => void }) {
  const [isExplained, setIsExplained] = useState(false)
  const { cost, latency, quality } = expectedTexts(preview.expected)
  const isTimed = preview.expected.latencySource !== 'assumed'
  const figures = [cost, ...(isTimed ? [latency] : []), t('quality {quality}', { quality })]
  return (
    <div className="flex items-center gap-1 rounded-lg border border-dashed border-edge py-0.5 pr-0.5 pl-3 text-xs text-muted tabular-nums">
      <Split size={13} aria-hidden className="shrink-0" />
      <p className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 px-1 py-1">
        <span className="wrap-anywhere">
          {rich('Would go to {model}', {
            model: (
              <span className="font-medium text-ink">
                {formatModelAt(preview.model, preview.effort)}
              </span>
            ),
          })}
        </span>
        <span>{figures.join(' · ')}</span>
      </p>
      <button
        type="button"
        aria-label={t('Why {model}?', { model: preview.model })}
        aria-haspopup="dialog"
        className="h-7 shrink-0 rounded-md px-2 font-medium text-accent hover:bg-hover"
        onClick={() => setIsExplained(true)}
      >
        {t('Why?')}
      </button>
      <IconButton label={t('Close the preview')} onClick={onClose}>
        <X size={14} aria-hidden />
      </IconButton>
      {isExplained && <PreviewDialog preview={preview} onClose={() => setIsExplained(false)} />}
    </div>
  )
}
