import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatDateTime } from '../../../../shared/strings/format.ts'
import type { TuningRun } from '../../../../shared/tuning/tuning-run.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Loaded, Page, Skeleton } from '../../components/page.tsx'
import { useUrlPart } from '../../components/use-url-part.ts'
import { loadTuningResult, removeRun, useTuningRuns } from '../../stores/tuning.ts'
import { RunProgress } from './run-progress.tsx'
import { RunResult } from './run-result.tsx'
import { appliesText, isUnderWay, promptsText, sourceText, titleOf } from './run-words.ts'
import { useFreshRuns } from './use-fresh-runs.ts'
import { useTuningResult } from './use-tuning-result.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** One run: its progress, and its result once it has ended. */
export function RunPage() {
  const runId = useUrlPart('runId')
  const runs = useTuningRuns()
  useFreshRuns()
  useEffect(() => {
    void useTuningRuns.getState().load()
  }, [])
  const run = runs.items?.find(({ id }) => id === runId)
  if (run) return <ExistingRun key={run.id} run={run} />
  return (
    <Page title={t('Run')}>
      <Loaded list={runs} what={t('run')}>
        {() => <p className="text-sm text-muted">{t('This run no longer exists.')}</p>}
      </Loaded>
    </Page>
  )
}

function ExistingRun({ run }: { run: TuningRun }) {
  const navigate = useNavigate()
  const [isRemoving, setIsRemoving] = useState(false)
  async function remove(): Promise<void> {
    await removeRun(run.id)
    await navigate({
      to: '/routers/$routerId',
      params: { routerId: run.routerId },
      search: { tab: 'tune' },
    })
  }
  return (
    <Page
      title={titleOf(run)}
      intro={[
        sourceText(run),
        promptsText(run),
        t('{count, plural, one {1 model} other {# models}}', { count: run.models.length }),
        ...(run.judge === null ? [] : [t('judged by {judge}', { judge: run.judge })]),
        formatDateTime(run.createdAtMs),
        ...appliesText(run),
      ].join(' · ')}
      actions={
        <>
          <BackToRuns routerId={run.routerId} />
          {!isUnderWay(run) && (
            <Button onClick={() => setIsRemoving(true)}>
              <Trash2 size={14} aria-hidden /> {deleteText(run)}
            </Button>
          )}
        </>
      }
    >
      <RunProgress run={run} />
      {!isUnderWay(run) && <Result run={run} />}
      {isRemoving && (
        <ConfirmDialog
          title={`${deleteText(run)}?`}
          description={t(
            'Routing forgets the grades of its {graded} prompts at once. The costs of its requests stay in the ledger. To keep the grades, export them first.',
            { graded: run.prompts.graded },
          )}
          action={deleteText(run)}
          onConfirm={remove}
          onClose={() => setIsRemoving(false)}
        />
      )}
    </Page>
  )
}

function Result({ run }: { run: TuningRun }) {
  const opened = useTuningResult(run)
  if (opened?.error) {
    return <ErrorNote error={opened.error} onRetry={() => void loadTuningResult(run.id)} />
  }
  if (opened === undefined) return <Skeleton>{t('Loading result…')}</Skeleton>
  if (opened.result === null || run.prompts.graded === 0) {
    return (
      <p className="text-sm text-muted">{t('No prompt was graded, so nothing was learned.')}</p>
    )
  }
  return <RunResult result={opened.result} run={run} />
}

function deleteText({ from }: TuningRun): string {
  return from === 'shadow' ? t('Delete samples') : t('Delete run')
}

export function BackToRuns({ routerId }: { routerId: string }) {
  return (
    <Link
      to="/routers/$routerId"
      params={{ routerId }}
      search={{ tab: 'tune' }}
      className={buttonClass('quiet')}
    >
      <ArrowLeft size={14} aria-hidden /> {t('All runs')}
    </Link>
  )
}
