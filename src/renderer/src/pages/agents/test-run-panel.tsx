import { Play, Square } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Execution } from '../../../../shared/agents/agent.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { Card } from '../../components/page.tsx'
import { agentMetaOf } from '../../../../shared/agents/agent-meta.ts'
import { Select } from '../../components/select.tsx'
import { Form } from '../../components/form.tsx'
import { Markdown } from '../../markdown/markdown.tsx'
import {
  changeTestRun,
  noTestRun,
  startTestRun,
  stopTestRun,
  useTestRuns,
  type TestRun,
} from '../../stores/agent-runs.ts'
import { useUsualRouter } from '../../stores/last-answer.ts'
import { useRouters } from '../../stores/routers.ts'
import { RunTimeline } from './run-timeline.tsx'
import { barsOfTest } from './timeline.ts'
import { useEditor } from './use-editor.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** How often a running test is redrawn. */
const redrawMs = 100

/** Runs the definition in the editor and shows each step as it happens. */
export function TestRunPanel({ agent }: { agent: string }) {
  const { source, issues } = useEditor()
  const routers = useRouters((state) => state.items) ?? []
  const { input, routerId, run, error } = useTestRuns((all) => all[agent] ?? noTestRun)
  const usual = useUsualRouter(routers)
  const router = routers.find(({ id }) => id === routerId) ?? usual
  const isRunning = run !== null && run.end === null
  const canRun = router !== undefined && issues.length === 0 && input.trim() !== ''

  return (
    <div className="flex flex-col gap-4">
      <Card>
        <Form
          aria-label={t('Test run')}
          className="flex flex-col gap-3"
          onSubmit={() => {
            if (canRun && !isRunning)
              void startTestRun(agent, { source, routerId: router.id, input })
          }}
        >
          <Field
            label={t('Input')}
            hint={t('The last message of the caller. Press Control + Enter to run.')}
          >
            {(ids) => (
              <textarea
                {...ids}
                value={input}
                onChange={({ target }) => changeTestRun(agent, { input: target.value })}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
                  event.preventDefault()
                  event.currentTarget.form?.requestSubmit()
                }}
                className="field-sizing-content max-h-60 min-h-20 w-full rounded-md border border-edge bg-surface px-2.5 py-1.5 text-sm placeholder:text-muted"
              />
            )}
          </Field>
          <div className="flex flex-wrap items-end gap-3">
            <div className="w-56">
              <Select
                label={t('Router')}
                choices={routers.map(({ id, name }) => ({ value: id, label: name }))}
                value={router?.id ?? null}
                placeholder={t('No routers yet')}
                onChange={(id) => changeTestRun(agent, { routerId: id })}
              />
            </div>
            {isRunning ? (
              <Button onClick={() => stopTestRun(agent)}>
                <Square size={12} aria-hidden fill="currentColor" /> {t('Stop')}
              </Button>
            ) : (
              <Button look="primary" type="submit" disabled={!canRun}>
                <Play size={14} aria-hidden /> {t('Run')}
              </Button>
            )}
            <p className="text-xs text-muted">
              {issues.length > 0
                ? t('Fix the errors in the definition first.')
                : t(
                    'Runs the definition in the editor, saved or not. Requests are billed as usual.',
                  )}
            </p>
          </div>
        </Form>
      </Card>
      {error && <ErrorNote error={error} />}
      {run && <Result run={run} />}
    </div>
  )
}

function Result({ run }: { run: TestRun }) {
  const nowMs = useElapsed(run)
  const { end } = run
  return (
    <section aria-label={t('Result')} className="flex flex-col gap-4">
      <p role="status" className="text-sm font-medium">
        {end === null && t('Running…')}
        {end !== null && (end.error === null ? t('Done') : t('Run failed'))}
      </p>
      {end?.error != null && (
        <Note kind="bad">
          <span className="block min-w-0 flex-1 first-letter:uppercase">{end.error}</span>
        </Note>
      )}
      {end?.execution && (
        <div className="grid items-start gap-4 min-[64rem]:grid-cols-[minmax(0,1fr)_24rem]">
          <Card className="max-h-96 overflow-y-auto">
            <section aria-label={t('Answer')}>
              {end.output === null || end.output === '' ? (
                <p className="text-sm text-muted">{t('No answer.')}</p>
              ) : (
                <Markdown text={end.output} isArriving={false} />
              )}
            </section>
          </Card>
          <Meta execution={end.execution} />
        </div>
      )}
      <RunTimeline bars={barsOfTest(run)} spans={run.steps} nowMs={nowMs} />
    </section>
  )
}

/** Milliseconds since the run started, while it is running. */
function useElapsed({ startedAtMs, end }: TestRun): number {
  const [nowMs, setNowMs] = useState(0)
  const isOver = end !== null
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setNowMs(Date.now() - startedAtMs), redrawMs)
    return () => clearInterval(timer)
  }, [isOver, startedAtMs])
  return nowMs
}

/** The six fields a caller gets. */
export function Meta({ execution }: { execution: Execution }) {
  return (
    <dl
      aria-label="_meta"
      className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-0.5 rounded-xl border border-line bg-surface px-4 py-3 text-xs"
    >
      {Object.entries(agentMetaOf(execution)).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="font-mono text-muted">{name}</dt>
          <dd className="font-mono tabular-nums wrap-anywhere">
            {typeof value === 'object' ? value.join(', ') || '—' : value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
