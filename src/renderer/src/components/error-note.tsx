import { CirclePause, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../../shared/strings/strings.ts'
import type { CallError } from '../stores/client.ts'
import { Button } from './button.tsx'

interface ErrorNoteProps {
  error: CallError
  onRetry?: () => void
  /** Other actions. */
  children?: ReactNode
}

/** Shows an error message, with optional actions. */
export function ErrorNote({ error, onRetry, children }: ErrorNoteProps) {
  return (
    <Note kind="bad">
      <span className="block min-w-0 flex-1 basis-40 wrap-anywhere first-letter:uppercase">
        {error.message}
      </span>
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          {t('Try again')}
        </Button>
      )}
      {children}
    </Note>
  )
}

const looks = {
  bad: { colours: 'border-bad/40 bg-bad-soft text-bad', icon: TriangleAlert },
  warn: { colours: 'border-warn/40 bg-warn-soft text-warn', icon: TriangleAlert },
  paused: { colours: 'border-line bg-raised text-ink', icon: CirclePause },
} as const

/** A boxed, important message. */
export function Note({ kind, children }: { kind: keyof typeof looks; children: ReactNode }) {
  const { colours, icon: Icon } = looks[kind]
  return (
    <div
      role={kind === 'paused' ? 'status' : 'alert'}
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border px-3 py-2 text-sm ${colours}`}
    >
      <Icon size={16} aria-hidden className="shrink-0" />
      {children}
    </div>
  )
}
