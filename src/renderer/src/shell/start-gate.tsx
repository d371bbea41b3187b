import { DatabaseBackup, Hourglass, TriangleAlert, type LucideIcon } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import type { StartState } from '../../../shared/app/start-state.ts'
import { Button } from '../components/button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { useDocumentLook } from '../components/theme.ts'
import { useAction } from '../components/use-action.ts'
import { call, listen } from '../stores/client.ts'
import { restoreWords } from '../stores/backups.ts'
import { loadStart, retryStart, useStart } from '../stores/start.ts'
import { useUpdates } from '../stores/updates.ts'
import { DamagedStart, RestorableCopies } from './damaged-start.tsx'
import { WayBack } from './way-back.tsx'
import { startTexts } from './start-texts.ts'
import { t } from '../../../shared/strings/strings.ts'

/** A start takes less; a lock of another program's makes it wait for up to 30 s. */
const longMs = 3_000

/** Shows the app, or why it cannot start. */
export function StartGate({ children }: { children: ReactNode }) {
  const start = useStart()
  const isLong = useIsLong(start.status === 'starting')
  useEffect(() => {
    void loadStart()
    return listen('start', (state) => useStart.setState(state, true))
  }, [])
  if (start.status === 'failed') return <FailedStart start={start} />
  if (start.status === 'restoring') return <Restoring />
  if (start.status === 'starting' && isLong) return <LongStart />
  return children
}

function useIsLong(isWaiting: boolean): boolean {
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setIsLong(true), longMs)
    return () => {
      clearTimeout(timer)
      setIsLong(false)
    }
  }, [isWaiting])
  return isLong
}

function LongStart() {
  return (
    <StartPage icon={Hourglass} title={t('Waiting for the database')}>
      <p>
        {t(
          'Another program may have locked it, such as a database viewer or a backup tool. Modelport continues as soon as the database is free.',
        )}
      </p>
      <div>
        <Button onClick={() => void call('start:quit')}>{t('Quit')}</Button>
      </div>
    </StartPage>
  )
}

function Restoring() {
  return (
    <StartPage icon={DatabaseBackup} title={t('Restoring the copy')}>
      <p>
        {t(
          'Requests in progress get up to ten seconds to end. Then the copy replaces the database, and Modelport starts again.',
        )}
      </p>
    </StartPage>
  )
}

function FailedStart({ start }: { start: Extract<StartState, { status: 'failed' }> }) {
  const { title, wayOut } = startTexts[start.problem]
  const { run, isRunning } = useAction(retryStart)
  const isDamaged = start.problem === 'damaged'
  const isNewer = start.problem === 'newer_database'
  const { state: updates, load: loadUpdates } = useUpdates()
  useEffect(() => void loadUpdates(), [loadUpdates])
  return (
    <StartPage icon={TriangleAlert} title={title}>
      {start.restore && <p className="text-bad">{restoreWords(start.restore)}</p>}
      <p>{wayOut}</p>
      <dl className="flex flex-col gap-3 text-sm">
        <div>
          <dt className="text-muted">{t('Data folder')}</dt>
          <dd className="flex min-w-0 items-center gap-1">
            <code className="min-w-0 truncate font-mono text-xs">{start.dataDir}</code>
            <CopyButton text={start.dataDir} what={t('data folder')} />
          </dd>
        </div>
        <div>
          <dt className="text-muted">{t('Details')}</dt>
          <dd className="text-xs break-words">{start.message}</dd>
        </div>
      </dl>
      {isDamaged && <DamagedStart />}
      {isNewer && <RestorableCopies />}
      {updates?.previous && <WayBack previous={updates.previous} />}
      <div className="flex flex-wrap gap-2">
        <Button
          look={isDamaged || isNewer ? 'plain' : 'primary'}
          disabled={isRunning}
          onClick={() => run()}
        >
          {isRunning ? t('Trying again…') : t('Try again')}
        </Button>
        <Button onClick={() => void call('start:open-folder')}>{t('Open data folder')}</Button>
        <Button onClick={() => void call('start:quit')}>{t('Quit')}</Button>
      </div>
    </StartPage>
  )
}

interface StartPageProps {
  icon: LucideIcon
  title: string
  children: ReactNode
}

function StartPage({ icon: Icon, title, children }: StartPageProps) {
  useDocumentLook()
  return (
    <main className="flex h-full items-center justify-center overflow-y-auto p-6">
      <div className="flex w-full max-w-lg flex-col gap-4 text-sm" role="alert">
        <h1 className="flex items-center gap-2.5 text-lg font-semibold">
          <Icon size={20} aria-hidden className="shrink-0 text-warn" />
          {title}
        </h1>
        {children}
      </div>
    </main>
  )
}
