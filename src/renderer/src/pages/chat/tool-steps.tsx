import {
  Check,
  CircleHelp,
  CircleSlash,
  LoaderCircle,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react'
import type { ToolStep } from '../../../../shared/chat/tools.ts'
import { formatBytes, formatDuration } from '../../../../shared/strings/format.ts'
import { joinWords } from '../../../../shared/strings/join.ts'
import { Button } from '../../components/button.tsx'
import { downloadFile } from '../../components/download-file.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { call } from '../../stores/client.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { outcomeWords } from '../../components/tool-words.ts'
import { Markdown } from '../../markdown/markdown.tsx'
import { marksBetween, type SourceMark } from '../../markdown/source-marks.ts'

interface AnswerTextProps {
  text: string
  steps: readonly ToolStep[]
  isArriving: boolean
  marks: readonly SourceMark[]
}

/** An answer's text with the calls of tools where they were made. */
export function AnswerText({ text, steps, isArriving, marks }: AnswerTextProps) {
  const places = [...Map.groupBy(steps, ({ textEnd }) => textEnd)]
  const lastStart = places.at(-1)?.[0] ?? 0
  const last = text.slice(lastStart)
  // The same list, so that a text which is drawn again is not parsed again.
  const lastMarks = lastStart === 0 ? marks : marksBetween(marks, lastStart, text.length)
  return (
    <>
      {places.map(([end, here], at) => {
        const start = places[at - 1]?.[0] ?? 0
        const before = text.slice(start, end)
        return (
          <div key={end} className="flex min-w-0 flex-col gap-2.5">
            {before.trim() !== '' && (
              <Markdown text={before} isArriving={false} marks={marksBetween(marks, start, end)} />
            )}
            <ul aria-label={t('Calls of tools')} className="flex flex-col gap-1">
              {here.map((step) => (
                <Step key={`${step.requestId} ${step.id}`} step={step} isArriving={isArriving} />
              ))}
            </ul>
          </div>
        )
      })}
      {last.trim() !== '' && <Markdown text={last} isArriving={isArriving} marks={lastMarks} />}
      {last.trim() === '' && isArriving && (
        <p className="animate-pulse text-sm text-muted">{t('Waiting for the answer…')}</p>
      )}
    </>
  )
}

const looks: Readonly<Record<ToolStep['outcome'], { icon: LucideIcon; colour: string }>> = {
  running: { icon: LoaderCircle, colour: 'animate-spin text-muted' },
  done: { icon: Check, colour: 'text-ok' },
  failed: { icon: TriangleAlert, colour: 'text-bad' },
  denied: { icon: CircleSlash, colour: 'text-muted' },
  stopped: { icon: CircleSlash, colour: 'text-warn' },
  unknown: { icon: CircleHelp, colour: 'text-warn' },
}

const allowances: Readonly<Record<NonNullable<ToolStep['allowedBy']>, string>> = {
  once: t('allowed once'),
  conversation: t('allowed in this conversation'),
  always: t('always allowed'),
  search: t('search'),
}

/** One line of a call; its arguments and its result are folded. */
function Step({ step, isArriving }: { step: ToolStep; isArriving: boolean }) {
  const { allowedBy, latencyMs, bytes } = step
  // After a crash, it is not known whether the call ran.
  const outcome = step.outcome === 'running' && !isArriving ? 'unknown' : step.outcome
  const { icon: Icon, colour } = looks[outcome]
  const figures = joinWords([
    outcomeWords[outcome],
    latencyMs === null ? '' : formatDuration(latencyMs),
    bytes === null ? '' : formatBytes(bytes),
    allowedBy === null ? '' : allowances[allowedBy],
  ])
  return (
    <li>
      <details className="rounded-lg border border-line text-sm">
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-2 gap-y-0.5 px-3 py-1.5">
          <Icon size={14} aria-hidden className={`shrink-0 ${colour}`} />
          <span className="min-w-0 font-medium wrap-anywhere">
            {step.server === '' ? step.tool : `${step.server}: ${step.tool}`}
          </span>
          <span className="text-xs text-muted tabular-nums">{figures}</span>
        </summary>
        <div className="flex min-w-0 flex-col gap-2 border-t border-line px-3 py-2 text-xs">
          <Content title={t('Arguments')} text={step.arguments} />
          {step.result !== '' && <Content title={t('Result for the model')} text={step.result} />}
          {step.wholeResult !== null && <SaveWhole tool={step.tool} sha256={step.wholeResult} />}
        </div>
      </details>
    </li>
  )
}

/** Saves what a server returned and was too long for the model. */
function SaveWhole({ tool, sha256 }: { tool: string; sha256: string }) {
  const { run, error, isRunning } = useAction(async () => {
    const data = atob(await call('chat:attachment-data', { sha256 }))
    const bytes = Uint8Array.from(data, (byte) => byte.charCodeAt(0))
    const text = new TextDecoder().decode(bytes)
    downloadFile({ name: `${tool}.txt`, type: 'text/plain', text })
  })
  return (
    <>
      <Button size="small" className="self-start" disabled={isRunning} onClick={() => run()}>
        {t('Save whole result…')}
      </Button>
      {error && <ErrorNote error={error} />}
    </>
  )
}

function Content({ title, text }: { title: string; text: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span className="font-medium text-muted">{title}</span>
      <pre
        // A scroll area must be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={title}
        className="max-h-60 overflow-y-auto font-mono wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </pre>
    </div>
  )
}
