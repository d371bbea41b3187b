import { Cpu } from 'lucide-react'
import { useState } from 'react'
import type { LocalModelState } from '../../../shared/app/app-state.ts'
import { formatBytes } from '../../../shared/strings/format.ts'
import { Badge, type Tone } from './badge.tsx'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { ErrorNote } from './error-note.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { useAction } from './use-action.ts'
import { withoutHome } from './without-home.ts'
import { prepareLocalModel, useApp } from '../stores/app.ts'
import { t } from '../../../shared/strings/strings.ts'
import { rich } from './rich.tsx'

const badges: Record<LocalModelState['status'], { tone: Tone; text: string }> = {
  missing: { tone: 'warn', text: t('no model file') },
  downloading: { tone: 'neutral', text: t('downloading') },
  stopped: { tone: 'neutral', text: t('starts on demand') },
  loading: { tone: 'neutral', text: t('loading') },
  ready: { tone: 'ok', text: t('ready') },
  failed: { tone: 'bad', text: t('failed') },
}

/** The built-in model, and how to get one when its file is missing. */
export function LocalModelCard({ onAddProvider }: { onAddProvider: () => void }) {
  const model = useApp((state) => state.state?.localModel)
  if (!model) return null
  const badge = badges[model.status]
  return (
    <section
      aria-label={t('Demo model')}
      className="flex flex-col gap-2 rounded-xl border border-line bg-surface p-4"
    >
      <div className="flex items-center gap-2">
        <Cpu size={17} aria-hidden className="text-accent" />
        <h2 className="font-semibold">{t('Demo model')}</h2>
        <Badge tone={badge.tone}>{badge.text}</Badge>
      </div>
      <p className="text-sm text-muted">
        {t(
          'For a first look: it is too small for real questions. Runs on this computer, with no account, key or cost.',
        )}
      </p>
      <Details model={model} />
      <WaysOut model={model} onAddProvider={onAddProvider} />
    </section>
  )
}

function Details({ model }: { model: LocalModelState }) {
  const homeDir = useApp((state) => state.state?.homeDir ?? '')
  if (model.status === 'downloading') {
    const { receivedBytes, totalBytes } = model
    return (
      <ProgressBar
        label={t('Download of the model')}
        value={receivedBytes}
        max={totalBytes}
        text={t('{receivedBytes} of {totalBytes}', {
          receivedBytes: formatBytes(receivedBytes),
          totalBytes: formatBytes(totalBytes),
        })}
      />
    )
  }
  if (model.status === 'failed') {
    return (
      <p role="alert" className="text-sm text-bad">
        {model.message}
      </p>
    )
  }
  if (model.status === 'missing') return null
  return (
    <p className="truncate font-mono text-xs text-muted" title={model.file}>
      {withoutHome(model.file, homeDir)}
      {model.status === 'ready' &&
        ` · ${model.gpu ?? t('{count, plural, one {1 thread} other {# threads}}', { count: model.threads })}`}
    </p>
  )
}

interface WaysOutProps {
  model: LocalModelState
  onAddProvider: () => void
}

function WaysOut({ model, onAddProvider }: WaysOutProps) {
  const { run, isRunning, error } = useAction(prepareLocalModel)
  const [isAsking, setIsAsking] = useState(false)
  const isMissing = model.status === 'missing'
  const isFailed = model.status === 'failed'
  if (!isMissing && !isFailed) return null
  return (
    <>
      <div className="flex flex-wrap gap-2 pt-1">
        {isMissing && (
          <Button look="primary" disabled={isRunning} onClick={() => setIsAsking(true)}>
            {rich('Download model ({downloadBytes})', {
              downloadBytes: formatBytes(model.downloadBytes),
            })}
          </Button>
        )}
        {isFailed && (
          <Button look="primary" disabled={isRunning} onClick={() => run('retry')}>
            {t('Try again')}
          </Button>
        )}
        <Button disabled={isRunning} onClick={() => run('choose-file')}>
          {isMissing ? t('Choose file') : t('Choose another file')}
        </Button>
        <Button onClick={onAddProvider}>{t('Add provider')}</Button>
      </div>
      {error && <ErrorNote error={error} />}
      {isAsking && isMissing && (
        <ConfirmDialog
          title={t('Download {downloadBytes}?', {
            downloadBytes: formatBytes(model.downloadBytes),
          })}
          description={t(
            'Modelport downloads SmolLM2-135M-Instruct (Apache-2.0) once, verifies it and stores it on this computer.',
          )}
          action={t('Download')}
          isHarmless
          onConfirm={() => prepareLocalModel('download')}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
