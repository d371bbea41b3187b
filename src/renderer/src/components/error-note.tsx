import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CallError } from '../stores/client.ts'

/** Shows an error message, with optional actions. */
export function ErrorNote({ error, children }: { error: CallError; children?: ReactNode }) {
  return (
    <Note kind="bad">
      <span className="block min-w-0 flex-1 first-letter:uppercase">{error.message}</span>
      {children}
    </Note>
  )
}

const looks = {
  bad: 'border-bad/40 bg-bad-soft text-bad',
  warn: 'border-warn/40 bg-warn-soft text-warn',
} as const

/** A boxed, important message. */
export function Note({ kind, children }: { kind: keyof typeof looks; children: ReactNode }) {
  return (
    <div
      role="alert"
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border px-3 py-2 text-sm ${looks[kind]}`}
    >
      <TriangleAlert size={16} aria-hidden className="shrink-0" />
      {children}
    </div>
  )
}
