import { useEffect, useState, type ReactNode } from 'react'
import type { Preview } from '../../../../shared/routers/preview.ts'
import { formatModelAt, formatUsd } from '../../../../shared/strings/format.ts'
import { joinWords } from '../../../../shared/strings/join.ts'
import { formatAbout } from '../../decision/estimates.ts'
import { expectedTexts } from '../../decision/expected-texts.ts'
import { PreviewDialog } from '../../decision/preview-dialog.tsx'
import {
  closePreview,
  leaveModel,
  loadPreview,
  previewFor,
  takeModel,
  takenModelOf,
  usePreviews,
  useTakenModels,
  wasAsked,
  type PreviewedMessage,
} from '../../stores/previews.ts'
import { useInstructions } from '../../stores/instructions.ts'
import { askAboveUsdOf, useSettings } from '../../stores/settings.ts'
import { ContextBar } from './context-bar.tsx'
import { otherModelOf, runnerUpOf, type OtherModel } from './alternatives.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** Since the last key. */
const pauseMs = 300

interface RoutingLineProps {
  message: PreviewedMessage
  /** Changes with what is sent beside the text, such as files. */
  version: string
  /** False without a message, and for agents, which choose nothing. */
  isOn: boolean
  /** Whether no other router gets the message too: another model can then be taken. */
  isAlone: boolean
  /** Shown without a message. */
  children: ReactNode
}

/** Under the message field: the model that would answer, its cost, its time and the reason, 0.3 s after the last key. */
export function RoutingLine({ message, version, isOn, isAlone, children }: RoutingLineProps) {
  const { conversation, routerId, text } = message
  const [explained, setExplained] = useState<Preview | null>(null)
  const [latest, setLatest] = useState<Preview | null>(null)
  const state = usePreviews((previews) => previewFor(message, previews))
  const isAsked = usePreviews((previews) => wasAsked(message, previews))
  const { systemPrompt, parameters } = useInstructions(conversation)
  const instructions = JSON.stringify([systemPrompt, parameters])
  const taken = takenModelOf(message, useTakenModels())
  useEffect(() => {
    if (!isOn) return closePreview(conversation)
    const timer = setTimeout(() => void loadPreview({ conversation, routerId, text }), pauseMs)
    return () => clearTimeout(timer)
  }, [isOn, conversation, routerId, text, version, instructions])
  const known = state?.kind === 'known' ? state.preview : null
  if (known !== null && known !== latest) setLatest(known)
  // While the next decision is made, the last one stays, muted: the line does not move under the eye.
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
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <Line
            preview={shown}
            taken={taken === null ? null : otherModelOf(shown, taken)}
            isCurrent={known !== null}
            isAsked={isAsked}
            onExplain={() => setExplained(shown)}
          />
          {isAlone && <OtherModelButton {...{ message, taken }} preview={shown} />}
          {isAlone && <ContextBar {...{ message, taken }} preview={shown} />}
        </div>
      )}
      {explained && <PreviewDialog preview={explained} onClose={() => setExplained(null)} />}
    </div>
  )
}

interface OtherModelButtonProps {
  message: PreviewedMessage
  preview: Preview
  taken: string | null
}

/** Takes the router's second model for this message, or leaves the choice to the router again. */
function OtherModelButton({ message, preview, taken }: OtherModelButtonProps) {
  const runnerUp = runnerUpOf(preview)
  const look = 'shrink-0 rounded-md hover:text-ink'
  if (taken !== null) {
    return (
      <button type="button" className={look} onClick={() => leaveModel(message.conversation)}>
        {t('back to {model}', { model: shortName(preview.model) })}
      </button>
    )
  }
  return (
    runnerUp && (
      <button
        type="button"
        aria-keyshortcuts="Tab"
        title={t('Tab in the message takes it')}
        className={look}
        onClick={() => takeModel(message, runnerUp.model)}
      >
        {joinWords([t('or {model}', { model: shortName(runnerUp.model) }), runnerUp.changes])}
      </button>
    )
  )
}

/** Without the provider, which the line names beside it. */
function shortName(model: string): string {
  return model.slice(model.indexOf(':') + 1)
}

interface LineProps {
  preview: Preview
  /** The model that is taken instead of the router's. */
  taken: OtherModel | null
  /** False while a newer text is being decided on. */
  isCurrent: boolean
  /** Whether the person is asked to send the message again because of its cost. */
  isAsked: boolean
  onExplain: () => void
}

function Line({ preview, taken, isCurrent, isAsked, onExplain }: LineProps) {
  const limitUsd = useSettings(askAboveUsdOf)
  const { cost, latency } = expectedTexts(preview.expected)
  const isTimed = preview.expected.latencySource !== 'assumed'
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      title={preview.why}
      className="flex min-w-0 flex-1 basis-60 items-baseline gap-x-2 rounded-md text-left hover:text-ink"
      onClick={onExplain}
    >
      <span className={`max-w-1/2 shrink-0 truncate font-medium ${isCurrent ? 'text-ink' : ''}`}>
        {taken?.model ?? formatModelAt(preview.model, preview.effort)}
      </span>
      <span className="shrink-0">
        {taken ? formatAbout('usd', taken.costUsd) : joinWords([cost, isTimed ? latency : ''])}
      </span>
      {isAsked ? (
        <span className="min-w-0 font-medium text-warn">
          {t('More than {limit}: send again to confirm.', { limit: formatUsd(limitUsd) })}
        </span>
      ) : (
        <span className="min-w-0 truncate">
          {taken ? joinWords([t('your choice'), taken.changes]) : preview.why}
        </span>
      )}
    </button>
  )
}
