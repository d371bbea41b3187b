import { useId, useRef } from 'react'
import type { DefinitionIssue } from '../../../../shared/agents/agent-window.ts'
import { useEditor } from './use-editor.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

/** The source with line numbers and errors. */
export function SourceField() {
  const { source, setSource, issues, isChecked } = useEditor()
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const lines = source.split('\n').length
  const atIssue = new Set(issues.map(({ line }) => line))

  function goTo({ line, column }: DefinitionIssue): void {
    const element = area.current
    if (!element) return
    const before = source.split('\n').slice(0, line - 1)
    const place = before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1
    element.focus()
    element.setSelectionRange(place, place)
  }

  return (
    <div className="flex flex-col gap-3">
      <label htmlFor={id} className="sr-only">
        {t('Source')}
      </label>
      <div className="flex overflow-x-auto rounded-lg border border-edge bg-surface font-mono text-xs leading-5 has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-accent">
        <ol
          aria-hidden
          className="shrink-0 border-r border-line bg-sunken py-2 text-right text-muted select-none"
        >
          {Array.from({ length: lines }, (_, index) => (
            <li
              key={index}
              className={`px-2.5 tabular-nums ${atIssue.has(index + 1) ? 'bg-bad-soft font-semibold text-bad' : ''}`}
            >
              {index + 1}
            </li>
          ))}
        </ol>
        <textarea
          id={id}
          ref={area}
          value={source}
          spellCheck={false}
          wrap="off"
          aria-invalid={issues.length > 0}
          aria-describedby={`${id}-issues`}
          onChange={({ target }) => setSource(target.value)}
          className="field-sizing-content min-h-80 min-w-full flex-1 resize-none bg-transparent px-3 py-2 whitespace-pre outline-none"
        />
      </div>
      <div id={`${id}-issues`} className="text-sm">
        {isChecked && issues.length === 0 && <p className="text-ok">{t('No problems')}</p>}
        {issues.length > 0 && (
          <ul aria-label={t('Errors')} className="flex flex-col gap-1">
            {issues.map((issue, index) => (
              <li key={index}>
                <button
                  type="button"
                  onClick={() => goTo(issue)}
                  className="w-full rounded-md px-2 py-1 text-left text-bad hover:bg-bad-soft"
                >
                  <span className="font-medium">{rich('Line {line}', { line: issue.line })}</span>
                  {issue.field !== '' && (
                    <span className="font-mono text-xs"> {issue.field}</span>
                  )}:{' '}
                  {issue.message}
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
