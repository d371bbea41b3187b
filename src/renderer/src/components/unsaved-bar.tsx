import { Undo2 } from 'lucide-react'
import { runUndo, useUndo } from '../stores/undo.ts'
import { Button } from './button.tsx'
import { ErrorNote } from './error-note.tsx'
import type { CallError } from '../stores/client.ts'
import { t } from '../../../shared/strings/strings.ts'

interface UnsavedBarProps {
  /** The id of the form that Save submits. */
  form: string
  /** The page's path: its last save can be undone here. */
  path: string
  /** "Strategy, Limits"; empty without unsaved changes. */
  changes: string
  isSaving: boolean
  /** An error that no field shows. */
  error: CallError | null
  onDiscard: () => void
}

/** Shows at the lower edge of a form that it has unsaved changes, and after a save that it can be undone. */
export function UnsavedBar({ form, path, changes, isSaving, error, onDiscard }: UnsavedBarProps) {
  const { offer, error: undoError } = useUndo()
  const isUndoable = offer?.path === path
  const isChanged = changes !== ''
  if (!isChanged && !isUndoable) return null
  const problem = error ?? (isUndoable ? undoError : null)
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-0 z-10 flex overflow-hidden px-5 pt-4 pb-4 [scrollbar-gutter:stable] min-[60rem]:px-8">
      <div className="pointer-events-auto flex w-full max-w-[86rem] flex-col gap-2 rounded-xl border border-line bg-raised px-4 py-2.5 shadow-lg">
        {problem && <ErrorNote error={problem} />}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <p role="status" className="mr-auto min-w-0 truncate text-sm">
            {isChanged ? (
              <>
                <span className="font-medium">{t('Unsaved changes')}</span>
                <span className="text-muted"> · {changes}</span>
              </>
            ) : (
              t('Saved. Applies from the next request.')
            )}
          </p>
          {isUndoable && (
            <Button size="small" onClick={() => void runUndo()}>
              <Undo2 size={13} aria-hidden /> {t('Undo')}
            </Button>
          )}
          {isChanged && (
            <>
              <Button size="small" look="quiet" onClick={onDiscard}>
                {t('Discard')}
              </Button>
              <Button size="small" look="primary" type="submit" form={form} disabled={isSaving}>
                {t('Save')}
              </Button>
            </>
          )}
        </div>
      </div>
    </div>
  )
}
