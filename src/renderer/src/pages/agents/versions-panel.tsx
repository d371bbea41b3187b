import { RotateCcw } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { AgentDetail } from '../../../../shared/agents/agent-window.ts'
import { formatDateTime } from '../../../../shared/strings/format.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import { useAction } from '../../components/use-action.ts'
import { diffRows, nearChanges, type DiffLine } from './diff-rows.ts'
import { useEditor } from './use-editor.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

interface VersionsPanelProps {
  detail: AgentDetail
  /** Saves an older text as the next version. */
  onRevert: (source: string) => Promise<void>
}

/** All versions, and the difference between one and the editor. */
export function VersionsPanel({ detail, onRevert }: VersionsPanelProps) {
  const { source } = useEditor()
  const newest = detail.versions[0]?.version ?? detail.version
  const [chosen, choose] = useState(String(detail.versions[1]?.version ?? newest))
  const version = detail.versions.find((entry) => String(entry.version) === chosen)
  const { run, isRunning, error } = useAction(onRevert)
  const isSame = version?.source === source
  return (
    <div className="flex flex-col gap-4">
      <RadioCards
        label={t('Version')}
        choices={detail.versions.map((entry) => ({
          value: String(entry.version),
          label: t(
            '{isNewest, select, yes {Version {version} (latest)} other {Version {version}}}',
            {
              isNewest: entry.version === newest ? 'yes' : 'no',
              version: entry.version,
            },
          ),
          hint: formatDateTime(entry.createdAtMs),
        }))}
        value={chosen}
        onChange={choose}
      />
      {error && <ErrorNote error={error} />}
      {version && (
        <>
          <div className="flex items-center justify-between gap-3">
            <h2 className="text-sm font-semibold">
              {isSame
                ? t('No changes since version {version}', { version: version.version })
                : t('Changes since version {version}', { version: version.version })}
            </h2>
            {version.version !== newest && (
              <Button disabled={isRunning} onClick={() => run(version.source)}>
                <RotateCcw size={14} aria-hidden />{' '}
                {rich('Revert to version {version}', { version: version.version })}
              </Button>
            )}
          </div>
          {isSame ? null : <Diff before={version.source} after={source} />}
        </>
      )}
    </div>
  )
}

function Diff({ before, after }: { before: string; after: string }) {
  const rows = useMemo(() => nearChanges(diffRows(before, after)), [before, after])
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={t('Difference')}
      className="overflow-x-auto rounded-lg border border-line bg-surface"
    >
      <table className="w-full table-fixed font-mono text-xs leading-5">
        <thead className="sr-only">
          <tr>
            <th scope="col">{t('Before')}</th>
            <th scope="col">{t('After')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) =>
            row === null ? (
              <tr key={index} className="bg-sunken text-muted">
                <td colSpan={2} className="px-3">
                  …
                </td>
              </tr>
            ) : (
              <tr key={index}>
                <Side line={row.before} look={row.kind === 'same' ? '' : 'bg-bad-soft'} mark="−" />
                <Side
                  line={row.after}
                  look={row.kind === 'same' ? '' : 'bg-accent-soft'}
                  mark="+"
                />
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  )
}

interface SideProps {
  line: DiffLine | null
  /** Empty for unchanged lines. */
  look: string
  mark: string
}

function Side({ line, look, mark }: SideProps) {
  return (
    <td className={`border-l border-line align-top first:border-l-0 ${line ? look : 'bg-sunken'}`}>
      {line && (
        <span className="flex">
          <span className="w-9 shrink-0 px-1.5 text-right text-muted tabular-nums select-none">
            {line.number}
          </span>
          <span className="w-4 shrink-0 select-none">{look === '' ? ' ' : mark}</span>
          <span className="min-w-0 flex-1 pr-2 wrap-anywhere whitespace-pre-wrap">{line.text}</span>
        </span>
      )}
    </td>
  )
}
