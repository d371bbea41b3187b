import { useEffect, useState, type ReactNode } from 'react'
import type { Preview } from '../../../../shared/routers/preview.ts'
import { formatModelAt, formatUsd } from '../../../../shared/strings/format.ts'
import { joinWords } from '../../../../shared/strings/join.ts'
import { expectedTexts } from '../../decision/expected-texts.ts'
import { PreviewDialog } from '../../decision/preview-dialog.tsx'
import {
  closePreview,
  loadPreview,
  previewFor,
  usePreviews,
  wasAsked,
  type PreviewedMessage,
} from '../../stores/previews.ts'
import { askAboveUsdOf, useSettings } from '../../stores/settings.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** Since the last key. */
const pauseMs = 300

interface RoutingLineProps {
  message: PreviewedMessage
  /** Changes with what is sent beside the text, such as files. */
  version: string
  /** False without a message, and for agents, which choose nothing. */
  isOn: boolean
  /** Shown without a message. */
  children: ReactNode
}

/** Under the message field: the model that would answer, its cost, its time and the reason, 0.3 s after the last key. */
export function RoutingLine({ message, version, isOn, children }: RoutingLineProps) {
  const { conversation, routerId, text } = message
  const [explained, setExplained] = useState<Preview | null>(null)
  const [latest, setLatest] = useState<Preview | null>(null)
  const state = usePreviews((previews) => previewFor(message, previews))
  const isAsked = usePreviews((previews) => wasAsked(message, previews))
  useEffect(() => {
    if (!isOn) return closePreview(conversation)
    const timer = setTimeout(() => void loadPreview({ conversation, routerId, text }), pauseMs)
    return () => clearTimeout(timer)
  }, [isOn, conversation, routerId, text, version])
  const known = state?.kind === 'known' ? state.preview : null
  if (known !== null && known !== latest) setLatest(known)
  // While the next decision is made, the last one stays, dimmed: the line does not move under the eye.
  const shown = known ?? latest
  return (
    <div
      role="status"
      aria-label={t('Routing line')}
      className="min-w-0 flex-1 basis-full text-xs text-muted tabular-nums @min-[40rem]:basis-0"
    >
      {!isOn ? (
        children
      ) : state?.kind === 'failed' ? (
        <p className="truncate" title={state.error.message}>
          {state.error.message}
        </p>
      ) : shown === null ? (
        <p>{t('Choosing a model…')}</p>
      ) : (
        <Line
          preview={shown}
          isCurrent={known !== null}
          isAsked={isAsked}
          onExplain={() => setExplained(shown)}
        />
      )}
      {explained && <PreviewDialog preview={explained} onClose={() => setExplained(null)} />}
    </div>
  )
}

interface LineProps {
  preview: Preview
  /** False while a newer text is being decided on. */
  isCurrent: boolean
  /** Whether the person is asked to send the message again because of its cost. */
  isAsked: boolean
  onExplain: () => void
}

function Line({ preview, isCurrent, isAsked, onExplain }: LineProps) {
  const limitUsd = useSettings(askAboveUsdOf)
  const { cost, latency } = expectedTexts(preview.expected)
  const isTimed = preview.expected.latencySource !== 'assumed'
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      title={preview.why}
      className={`flex w-full min-w-0 items-baseline gap-x-2 rounded-md text-left hover:text-ink ${isCurrent ? '' : 'opacity-60'}`}
      onClick={onExplain}
    >
      <span className="max-w-1/2 shrink-0 truncate font-medium text-ink">
        {formatModelAt(preview.model, preview.effort)}
      </span>
      <span className="shrink-0">{joinWords([cost, isTimed ? latency : ''])}</span>
      {isAsked ? (
        <span className="min-w-0 font-medium text-warn">
          {t('More than {limit}: send again to confirm.', { limit: formatUsd(limitUsd) })}
        </span>
      ) : (
        <span className="min-w-0 truncate">{preview.why}</span>
      )}
    </button>
  )
}
