import { HardDriveDownload, Pause, Play, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatBytes, formatCount } from '../../../../shared/strings/format.ts'
import type { LocalFileState, LocalModelInfo } from '../../../../shared/models/local-models.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button, IconButton } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { Loaded } from '../../components/page.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { useAction } from '../../components/use-action.ts'
import {
  addLocalModelFile,
  downloadLocalModel,
  pauseLocalModel,
  removeLocalModel,
  useLocalModels,
} from '../../stores/local-models.ts'
import { joinWords } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** More models for this computer: downloads and the user's own files. The built-in model has a card of its own. */
export function LocalModels() {
  const models = useLocalModels()
  const adding = useAction(addLocalModelFile)
  const [downloaded, setDownloaded] = useState<LocalModelInfo | null>(null)
  const [removed, setRemoved] = useState<LocalModelInfo | null>(null)
  return (
    <section
      aria-label={t('More local models')}
      className="flex flex-col gap-2 rounded-xl border border-line bg-surface p-4"
    >
      <div className="flex items-start justify-between gap-4">
        <div className="flex flex-col gap-1">
          <h2 className="font-semibold">{t('More local models')}</h2>
          <p className="max-w-prose text-sm text-muted">
            {t(
              'Larger models answer better and need more memory. One model is in memory at a time; switching takes some seconds.',
            )}
          </p>
        </div>
        <Button disabled={adding.isRunning} onClick={() => adding.run()}>
          <Plus size={15} aria-hidden /> {t('Add model file')}
        </Button>
      </div>
      {adding.error && <ErrorNote error={adding.error} />}
      <Loaded list={models} what={t('local models')}>
        {(items) => {
          const others = items.filter(({ origin }) => origin !== 'built-in')
          const offered = others.filter(({ state }) => state.kind === 'available')
          const rows = (listed: readonly LocalModelInfo[]) =>
            listed.map((model) => (
              <ModelRow
                key={model.name}
                model={model}
                onDownload={() => setDownloaded(model)}
                onRemove={() => setRemoved(model)}
              />
            ))
          return (
            <>
              {others.length > offered.length && (
                <ul className="divide-y divide-line">
                  {rows(others.filter(({ state }) => state.kind !== 'available'))}
                </ul>
              )}
              {offered.length > 0 && (
                <Disclosure
                  title={t('Models to download ({count})', { count: offered.length })}
                  remark={joinWords(offered.map(({ title }) => title))}
                  hasError={false}
                >
                  <ul className="divide-y divide-line">{rows(offered)}</ul>
                </Disclosure>
              )}
            </>
          )
        }}
      </Loaded>
      {downloaded && <ConfirmDownload model={downloaded} onClose={() => setDownloaded(null)} />}
      {removed && <ConfirmRemoval model={removed} onClose={() => setRemoved(null)} />}
    </section>
  )
}

interface ModelRowProps {
  model: LocalModelInfo
  onDownload: () => void
  onRemove: () => void
}

function ModelRow({ model, onDownload, onRemove }: ModelRowProps) {
  const { name, title, state, sizeBytes, isLoaded } = model
  const badge = isLoaded ? loadedBadge : badgeOf(state)
  return (
    <li aria-label={title} className="flex flex-col gap-1.5 py-3">
      <div className="flex items-center gap-2">
        <h3 className="min-w-0 truncate text-sm font-medium">{title}</h3>
        {badge && <Badge tone={badge.tone}>{badge.text}</Badge>}
        <span className="ml-auto flex items-center gap-1">
          <Actions {...{ model, onDownload, onRemove }} />
        </span>
      </div>
      <p className="text-xs text-muted">
        <code>local:{name}</code> · {formatBytes(sizeBytes)} ·{' '}
        {t('{tokens} tokens of context · needs about {memoryBytes} of memory', {
          tokens: formatCount(model.contextTokens),
          memoryBytes: formatBytes(model.memoryBytes),
        })}
        {model.isTooLarge && (
          <span className="text-warn">
            {' · '}
            {t('more memory than this computer has')}
          </span>
        )}
        {model.licence && (
          <>
            {' · '}
            <OutsideLink address={model.licence.url}>{model.licence.name}</OutsideLink>
          </>
        )}
      </p>
      <Progress model={model} />
      {(state.kind === 'failed' || state.kind === 'unusable') && (
        <p role="alert" className="text-sm text-bad">
          {state.message}
        </p>
      )}
    </li>
  )
}

const loadedBadge = { tone: 'ok', text: t('in memory') } as const

function badgeOf({ kind }: LocalFileState): { tone: Tone; text: string } | null {
  switch (kind) {
    case 'available':
      return null
    case 'installed':
      return { tone: 'ok', text: t('installed') }
    case 'failed':
    case 'unusable':
      return { tone: 'bad', text: kind }
    case 'paused':
      return { tone: 'warn', text: kind }
    default:
      return { tone: 'neutral', text: kind }
  }
}

function Progress({ model: { title, state, sizeBytes } }: { model: LocalModelInfo }) {
  if (state.kind === 'verifying')
    return <p className="text-xs text-muted">{t('Checking the file…')}</p>
  if (!('receivedBytes' in state) || state.receivedBytes === 0) return null
  const { receivedBytes } = state
  return (
    <ProgressBar
      label={t('Download of {title}', { title })}
      value={receivedBytes}
      max={sizeBytes}
      text={t('{receivedBytes} of {sizeBytes}', {
        receivedBytes: formatBytes(receivedBytes),
        sizeBytes: formatBytes(sizeBytes),
      })}
    />
  )
}

function Actions({ model, onDownload, onRemove }: ModelRowProps) {
  const { name, title, state } = model
  const pausing = useAction(pauseLocalModel)
  const resuming = useAction(downloadLocalModel)
  const remove = (
    <IconButton label={t('Delete {title}', { title })} onClick={onRemove}>
      <Trash2 size={15} aria-hidden />
    </IconButton>
  )
  switch (state.kind) {
    case 'available':
      return (
        <Button size="small" aria-label={t('Download {title}', { title })} onClick={onDownload}>
          <HardDriveDownload size={14} aria-hidden /> {t('Download')}
        </Button>
      )
    case 'downloading':
      return (
        <Button
          size="small"
          aria-label={t('Pause {title}', { title })}
          disabled={pausing.isRunning}
          onClick={() => pausing.run(name)}
        >
          <Pause size={14} aria-hidden /> {t('Pause')}
        </Button>
      )
    case 'paused':
    case 'failed':
      return (
        <>
          <Button
            size="small"
            aria-label={t('Resume {title}', { title })}
            disabled={resuming.isRunning}
            onClick={() => resuming.run(name)}
          >
            <Play size={14} aria-hidden /> {state.receivedBytes > 0 ? t('Resume') : t('Try again')}
          </Button>
          {state.receivedBytes > 0 && remove}
        </>
      )
    case 'verifying':
      return null
    default:
      return remove
  }
}

function ConfirmDownload({ model, onClose }: { model: LocalModelInfo; onClose: () => void }) {
  const { name, title, licence, sizeBytes } = model
  return (
    <ConfirmDialog
      title={t('Download {title} ({sizeBytes})?', { title, sizeBytes: formatBytes(sizeBytes) })}
      description={
        <>
          {t(
            'Modelport downloads the model from Hugging Face, verifies it and stores it on this computer. You can pause at any time.',
          )}{' '}
          {licence && (
            <>
              {t('Its licence applies to your use:')}{' '}
              <OutsideLink address={licence.url}>{licence.name}</OutsideLink>.
            </>
          )}
        </>
      }
      action={t('Download')}
      isHarmless
      onConfirm={() => downloadLocalModel(name)}
      onClose={onClose}
    />
  )
}

function ConfirmRemoval({ model, onClose }: { model: LocalModelInfo; onClose: () => void }) {
  const { name, title, origin, sizeBytes } = model
  const consequence =
    origin === 'own'
      ? t('Your file stays where it is.')
      : t('This frees up to {sizeBytes}. You can download the model again.', {
          sizeBytes: formatBytes(sizeBytes),
        })
  return (
    <ConfirmDialog
      title={t('Delete {title}?', { title })}
      description={t('{consequence} Routers can no longer use it.', { consequence })}
      action={t('Delete model')}
      onConfirm={() => removeLocalModel(name)}
      onClose={onClose}
    />
  )
}
