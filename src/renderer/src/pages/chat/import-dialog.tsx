import { FileInput, FolderInput } from 'lucide-react'
import { useState } from 'react'
import {
  chatSources,
  type ChosenExport,
  type ImportReport,
} from '../../../../shared/chat/imports.ts'
import { joinNames } from '../../../../shared/strings/join.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote, Note } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { closeImport } from '../../stores/chat-import.ts'
import { call } from '../../stores/client.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** More warnings than these are counted. */
const mostWarnings = 5

/** Imports conversations of other programs: choose files, see what they would add, import. */
export function ImportDialog() {
  const [chosen, setChosen] = useState<ChosenExport[] | null>(null)
  const [imported, setImported] = useState<ImportReport[] | null>(null)
  const choosing = useAction(async (what: 'files' | 'folder') => {
    const exports = await call('chat:choose-exports', { what })
    if (exports) setChosen(exports)
  })
  const importing = useAction(async (ids: string[]) =>
    setImported(await call('chat:import', { ids })),
  )
  const reports = imported ?? chosen?.map(({ report }) => report) ?? []
  const error = choosing.error ?? importing.error
  const programs = joinNames(Object.values(chatSources))
  return (
    <Dialog
      title={t('Import conversations')}
      description={t('Reads exports of {programs}. Nothing is uploaded.', { programs })}
      onClose={closeImport}
      isHeld={importing.isRunning}
    >
      {error && <ErrorNote error={error} />}
      <ul aria-label={t('Files')} className="flex flex-col gap-3">
        {reports.map((report, at) => (
          <Report key={at} report={report} isImported={imported !== null} />
        ))}
      </ul>
      {choosing.isRunning && <Progress text={t('Reading…')} />}
      {importing.isRunning && <Progress text={t('Importing…')} />}
      <div className="flex flex-wrap justify-end gap-2">
        {imported ? (
          <Button look="primary" onClick={closeImport}>
            {t('Done')}
          </Button>
        ) : (
          <Choices
            isBusy={choosing.isRunning || importing.isRunning}
            ids={(chosen ?? []).filter(({ report }) => addsSomething(report)).map(({ id }) => id)}
            onChoose={choosing.run}
            onImport={importing.run}
          />
        )}
      </div>
    </Dialog>
  )
}

interface ChoicesProps {
  isBusy: boolean
  /** Exports that would add something. */
  ids: string[]
  onChoose: (what: 'files' | 'folder') => void
  onImport: (ids: string[]) => void
}

function Choices({ isBusy, ids, onChoose, onImport }: ChoicesProps) {
  return (
    <>
      <Button disabled={isBusy} onClick={() => onChoose('folder')}>
        <FolderInput size={15} aria-hidden /> {t('Choose folder…')}
      </Button>
      <Button
        look={ids.length === 0 ? 'primary' : 'plain'}
        disabled={isBusy}
        onClick={() => onChoose('files')}
      >
        <FileInput size={15} aria-hidden /> {t('Choose files…')}
      </Button>
      {ids.length > 0 && (
        <Button look="primary" disabled={isBusy} onClick={() => onImport(ids)}>
          {t('Import')}
        </Button>
      )}
    </>
  )
}

function Progress({ text }: { text: string }) {
  return (
    <p role="status" className="animate-pulse text-sm text-muted">
      {text}
    </p>
  )
}

function addsSomething({ messages, presets }: ImportReport): boolean {
  return messages > 0 || presets > 0
}

/** What a file would add or has added, what is left out, and what could not be read. */
function Report({ report, isImported }: { report: ImportReport; isImported: boolean }) {
  const { file, source, refused, losses, warnings } = report
  const more = warnings.length - mostWarnings
  return (
    <li className="flex flex-col gap-1 rounded-lg border border-line px-3 py-2 text-sm">
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium wrap-anywhere">{file}</span>
        {source && <span className="text-xs text-muted">{chatSources[source]}</span>}
      </span>
      {refused === null ? (
        <p className="tabular-nums">{countsText(report, isImported)}</p>
      ) : (
        <Note kind="bad">{refused}</Note>
      )}
      <ul className="list-disc pl-5 text-xs text-muted">
        {[...losses, ...warnings.slice(0, mostWarnings)].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {more > 0 && <li>{t('{count, plural, one {# more} other {# more}}', { count: more })}</li>}
      </ul>
    </li>
  )
}

function countsText(report: ImportReport, isImported: boolean): string {
  const { conversations, messages, files, presets } = report
  const { added, extended, known } = conversations
  if (!addsSomething(report)) return t('Everything in it is already here.')
  const counts = [
    added > 0 &&
      t('{added, plural, one {# new conversation} other {# new conversations}}', { added }),
    extended > 0 &&
      t(
        '{extended, plural, one {# conversation with new messages} other {# conversations with new messages}}',
        {
          extended,
        },
      ),
    t('{messages, plural, one {# message} other {# messages}}', { messages }),
    files > 0 && t('{files, plural, one {# file} other {# files}}', { files }),
    presets > 0 && t('{presets, plural, one {# preset} other {# presets}}', { presets }),
    known > 0 && t('{known, plural, one {# already here} other {# already here}}', { known }),
  ].filter((text) => text !== false)
  return isImported ? t('Imported: {counts}', { counts: counts.join(', ') }) : counts.join(', ')
}
