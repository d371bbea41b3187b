import type { ReactNode } from 'react'
import { formatBytes, formatDateTime, formatDay } from '../../../../shared/format.ts'
import type { Release, UpdatePhase, UpdatesState, UpdateStep } from '../../../../shared/updates.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { useAction } from '../../components/use-action.ts'
import { runUpdateStep } from '../../stores/updates.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** This version, and the one that the feed offers. */
export function UpdateStatus({ state, isOff }: { state: UpdatesState; isOff: boolean }) {
  const { version, feedUrl, phase, lastCheckedAtMs } = state
  const canCheck = feedUrl !== null && !isOff && !isBusy(phase)
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-56 flex-1 text-sm">
          <span className="font-medium">{t('Modelport {version}', { version })}</span>
          {lastCheckedAtMs !== null && (
            <span className="text-muted">
              {t(' · last checked {lastCheckedAtMs}', {
                lastCheckedAtMs: formatDateTime(lastCheckedAtMs),
              })}
            </span>
          )}
        </p>
        {canCheck && <StepButton step="check" label={t('Check for updates')} />}
      </div>
      <p role="status" className="text-sm text-muted empty:hidden">
        {feedUrl === null ? noFeed : isOff ? t('Updates are off.') : statusOf(phase)}
      </p>
      {!isOff && <PhaseDetails phase={phase} />}
    </>
  )
}

const noFeed = t(
  'This build has no update server, so it never checks. Install a new version the way you installed this one.',
)

function isBusy({ status }: UpdatePhase): boolean {
  return ['checking', 'downloading', 'ready', 'installing'].includes(status)
}

function statusOf(phase: UpdatePhase): string {
  switch (phase.status) {
    case 'checking':
      return t('Checking…')
    case 'current':
      return t('There is no newer version.')
    case 'installing':
      return t('Modelport is restarting as version {version}…', { version: phase.version })
    case 'skipped':
      return t('You skipped version {version}.', { version: phase.release.version })
    default:
      return ''
  }
}

function PhaseDetails({ phase }: { phase: UpdatePhase }) {
  switch (phase.status) {
    case 'available':
      return (
        <Offer release={phase.release}>
          <StepButton step="download" label={downloadLabel(phase.release)} isPrimary />
          <StepButton step="skip" label={t('Skip this version')} />
        </Offer>
      )
    case 'skipped':
      return (
        <div>
          <StepButton step="offer" label={t('Offer it again')} />
        </div>
      )
    case 'downloading':
      return (
        <Offer release={phase.release}>
          <DownloadProgress release={phase.release} receivedBytes={phase.receivedBytes} />
          <StepButton step="cancel_download" label={t('Cancel')} />
        </Offer>
      )
    case 'ready':
      return (
        <Offer release={phase.release} badge="verified">
          <StepButton step="install" label={t('Install and restart')} isPrimary />
          <StepButton step="skip" label={t('Skip this version')} />
        </Offer>
      )
    case 'failed':
      return <Failure phase={phase} />
    default:
      return null
  }
}

function downloadLabel({ bytes }: Release): string {
  return bytes === null ? t('Download') : t('Download ({bytes})', { bytes: formatBytes(bytes) })
}

interface OfferProps {
  release: Release
  badge?: string
  children: ReactNode
}

/** The notes are plain text of the feed; nothing in them is markup. */
function Offer({ release, badge, children }: OfferProps) {
  const { version, notes, publishedAtMs } = release
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-line p-3">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <span className="font-medium">{t('Modelport {version}', { version })}</span>
        {badge !== undefined && <Badge tone="ok">{badge}</Badge>}
        {publishedAtMs !== null && (
          <span className="text-xs text-muted">{formatDay(publishedAtMs)}</span>
        )}
      </p>
      {notes !== null && (
        <section
          aria-label={t('Release notes')}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll area must be focusable
          tabIndex={0}
          className="max-h-60 overflow-auto text-sm whitespace-pre-wrap text-muted"
        >
          {notes}
        </section>
      )}
      <p className="text-xs text-muted">
        {t('The database is copied before the new version first opens it.')}
      </p>
      <div className="flex flex-wrap items-center gap-2">{children}</div>
    </div>
  )
}

function DownloadProgress({ release, receivedBytes }: { release: Release; receivedBytes: number }) {
  const total = release.bytes ?? receivedBytes
  const text =
    receivedBytes === release.bytes
      ? t('Verifying and unpacking…')
      : t('{receivedBytes} of {total}', {
          receivedBytes: formatBytes(receivedBytes),
          total: formatBytes(total),
        })
  return (
    <ProgressBar
      label={t('Download of version {version}', { version: release.version })}
      value={receivedBytes}
      max={total}
      text={text}
    />
  )
}

const failureTitles = {
  check: t('The check failed.'),
  download: t('The download failed.'),
  install: t('The installation failed.'),
  go_back: t('Going back failed.'),
} as const

function Failure({ phase }: { phase: Extract<UpdatePhase, { status: 'failed' }> }) {
  const { step, message, release } = phase
  return (
    <div role="alert" className="flex flex-col gap-2 text-sm">
      <p className="font-medium text-bad">{failureTitles[step]}</p>
      <p className="text-muted">{message}</p>
      {release !== null && (
        <div className="flex flex-wrap gap-2">
          <StepButton step="download" label={t('Download again')} />
          <StepButton step="skip" label={t('Skip this version')} />
        </div>
      )}
    </div>
  )
}

interface StepButtonProps {
  step: UpdateStep
  label: string
  isPrimary?: boolean
}

function StepButton({ step, label, isPrimary = false }: StepButtonProps) {
  const { run, isRunning, error } = useAction(() => runUpdateStep(step))
  return (
    <>
      <Button look={isPrimary ? 'primary' : 'plain'} disabled={isRunning} onClick={() => run()}>
        {label}
      </Button>
      {error && <ErrorNote error={error} />}
    </>
  )
}
