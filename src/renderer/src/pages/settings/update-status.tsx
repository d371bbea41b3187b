import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { formatBytes, formatDateTime, formatDay } from '../../../../shared/strings/format.ts'
import type {
  Release,
  UpdatePhase,
  UpdatesState,
  UpdateStep,
} from '../../../../shared/app/updates.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { useAction } from '../../components/use-action.ts'
import { phaseText, runUpdateStep } from '../../stores/updates.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** This version, and the one that the feed offers. */
export function UpdateStatus({ state, isOff }: { state: UpdatesState; isOff: boolean }) {
  const { version, feedUrl, phase, lastCheckedAtMs } = state
  const canCheck = feedUrl !== null && !isOff && !isInProgress(phase)
  const box = useRef<HTMLDivElement>(null)
  const status = useRef<HTMLParagraphElement>(null)
  useKeptFocus(phase.status, { box, status })
  return (
    <div ref={box} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-56 flex-1 text-sm">
          <span className="font-medium">{t('Modelport {version}', { version })}</span>
          {lastCheckedAtMs !== null && (
            <span className="text-muted">
              {' · '}
              {t('last checked {date}', { date: formatDateTime(lastCheckedAtMs) })}
            </span>
          )}
        </p>
        {canCheck && (
          <StepButton
            step="check"
            label={t('Check for updates')}
            isBusy={phase.status === 'checking'}
          />
        )}
      </div>
      <p ref={status} role="status" tabIndex={-1} className="text-sm text-muted empty:-mt-3">
        {feedUrl === null ? noFeed : isOff ? t('Updates are off.') : phaseText(phase)}
      </p>
      {!isOff && <PhaseDetails phase={phase} />}
    </div>
  )
}

interface FocusPlaces {
  box: RefObject<HTMLElement | null>
  status: RefObject<HTMLElement | null>
}

/** Buttons leave with their phase: the focus of one moves to the status, which says what came of it. */
function useKeptFocus(phase: UpdatePhase['status'], { box, status }: FocusPlaces): void {
  const focused = useRef<EventTarget | null>(null)
  useEffect(() => {
    const shown = box.current
    const remember = ({ target }: FocusEvent) => void (focused.current = target)
    shown?.addEventListener('focusin', remember)
    return () => shown?.removeEventListener('focusin', remember)
  }, [box])
  useEffect(() => {
    const before = focused.current
    if (!(before instanceof Node) || before.isConnected) return
    focused.current = null
    if (document.activeElement === document.body) status.current?.focus()
  }, [phase, status])
}

const noFeed = t(
  'This build has no update server, so it never checks. Install a new version the way you installed this one.',
)

function isInProgress({ status }: UpdatePhase): boolean {
  return ['downloading', 'ready', 'installing'].includes(status)
}

/** The keys keep one button from becoming another one while it has the focus. */
function PhaseDetails({ phase }: { phase: UpdatePhase }) {
  switch (phase.status) {
    case 'available':
      return (
        <Offer release={phase.release}>
          <Download release={phase.release} />
          <StepButton key="skip" step="skip" label={t('Skip this version')} />
        </Offer>
      )
    case 'skipped':
      return (
        <div>
          <StepButton key="offer" step="offer" label={t('Offer it again')} />
        </div>
      )
    case 'downloading':
      return (
        <Offer release={phase.release}>
          <DownloadProgress release={phase.release} receivedBytes={phase.receivedBytes} />
          <StepButton key="cancel_download" step="cancel_download" label={t('Cancel')} />
        </Offer>
      )
    case 'ready':
      return (
        <Offer release={phase.release} badge="verified">
          <StepButton key="install" step="install" label={t('Install and restart')} isPrimary />
          <StepButton key="skip" step="skip" label={t('Skip this version')} />
        </Offer>
      )
    case 'failed':
      return <Failure phase={phase} />
    default:
      return null
  }
}

function Download({ release: { version, bytes, link } }: { release: Release }) {
  if (link !== null) {
    return (
      <p className="text-sm">
        <OutsideLink address={link}>{t('Download version {version}', { version })}</OutsideLink>{' '}
        {t('Quit Modelport, then unpack it in place of this folder.')}
      </p>
    )
  }
  const label =
    bytes === null ? t('Download') : t('Download ({bytes})', { bytes: formatBytes(bytes) })
  return <StepButton key="download" step="download" label={label} isPrimary />
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
      ? t('Verifying…')
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
} as const

function Failure({ phase }: { phase: Extract<UpdatePhase, { status: 'failed' }> }) {
  const { step, problem, message, release } = phase
  const isStillDownloaded = step === 'install' && problem !== 'damaged_package'
  return (
    <div role="alert" className="flex flex-col gap-2 text-sm">
      <p className="font-medium text-bad">{failureTitles[step]}</p>
      <p className="text-muted">{message}</p>
      {release !== null && (
        <div className="flex flex-wrap gap-2">
          {isStillDownloaded ? (
            <StepButton key="install" step="install" label={t('Try again')} />
          ) : (
            <StepButton key="download" step="download" label={t('Download again')} />
          )}
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
  isBusy?: boolean
}

function StepButton({ step, label, isPrimary = false, isBusy = false }: StepButtonProps) {
  const { run, isRunning, error } = useAction(() => runUpdateStep(step))
  const isOff = isRunning || isBusy
  return (
    <>
      {/* A disabled button would lose the focus. */}
      <Button
        look={isPrimary ? 'primary' : 'plain'}
        aria-disabled={isOff}
        className="aria-disabled:opacity-55"
        onClick={() => {
          if (!isOff) run()
        }}
      >
        {label}
      </Button>
      {error && <ErrorNote error={error} />}
    </>
  )
}
