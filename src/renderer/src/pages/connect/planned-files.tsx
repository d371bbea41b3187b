import type { ConnectableTool, PlannedFile } from '../../../../shared/app/connect.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { undoToolFiles, useConnection, writeToolFiles } from '../../stores/connections.ts'
import { rich } from '../../components/rich.tsx'
import { t } from '../../../../shared/strings/strings.ts'

interface PlannedFilesProps {
  files: readonly PlannedFile[]
  tool: ConnectableTool
}

/** The changes to the tool's configuration, written and undone with one click each. */
export function PlannedFiles({ files, tool }: PlannedFilesProps) {
  const { written, restored } = useConnection()
  const write = useAction(writeToolFiles)
  const undo = useAction(undoToolFiles)
  const isBlocked = files.some(({ problem }) => problem !== null)
  const error = write.error ?? undo.error
  return (
    <section aria-label={t('Configuration files')} className="flex flex-col gap-2">
      {files.map((file) => (
        <PlannedFileView key={file.path} file={file} />
      ))}
      {error && <ErrorNote error={error} />}
      <div className="flex items-center gap-3">
        {written === null ? (
          <Button
            look="primary"
            disabled={isBlocked || write.isRunning || restored !== null}
            onClick={() => write.run()}
          >
            {t('{count, plural, one {Write this file} other {Write these # files}}', {
              count: files.length,
            })}
          </Button>
        ) : (
          <Button disabled={undo.isRunning} onClick={() => undo.run(tool.id)}>
            {t('Undo')}
          </Button>
        )}
        <p role="status" className="text-sm text-muted">
          {written !== null && t('Written. A copy of each file was kept.')}
          {restored !== null &&
            t('Restored. The key was revoked; close and connect again to retry.')}
          {written === null && restored === null && t('Modelport keeps a copy and can undo it.')}
        </p>
      </div>
    </section>
  )
}

function PlannedFileView({ file: { path, isNew, diff, problem } }: { file: PlannedFile }) {
  const shownPath = <span className="font-mono text-xs wrap-anywhere">{path}</span>
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-sm">
        {isNew
          ? rich('New file {path}', { path: shownPath })
          : rich('Changes to {path}', { path: shownPath })}
      </p>
      {problem !== null && <Note kind="warn">{problem}</Note>}
      {diff !== '' && (
        <pre
          tabIndex={0}
          role="region"
          aria-label={t('Changes to {path}', { path })}
          className="max-h-64 overflow-auto rounded-lg border border-line bg-sunken py-2 font-mono text-xs leading-relaxed"
        >
          {changedLines(diff, isNew).map((line, index) => (
            <span key={index} className={`block px-3 ${lookOf(line)}`}>
              {line}
            </span>
          ))}
        </pre>
      )}
    </div>
  )
}

/** Lines without the header, which names the file again, and without line numbers of a new file. */
function changedLines(diff: string, isNew: boolean): string[] {
  const left = isNew ? /^(---|\+\+\+|===|Index:|\\|@@)/ : /^(---|\+\+\+|===|Index:|\\)/
  return diff.split('\n').filter((line) => !left.test(line) && line !== '')
}

function lookOf(line: string): string {
  if (line.startsWith('+')) return 'bg-accent-soft'
  if (line.startsWith('-')) return 'bg-bad-soft'
  return line.startsWith('@@') ? 'text-muted' : ''
}
