import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ListState } from '../stores/list.ts'
import { ErrorNote } from './error-note.tsx'
import { rich } from './rich.tsx'

interface PageProps {
  title: string
  /** One sentence about the purpose of the page. */
  intro?: ReactNode
  actions?: ReactNode
  /** `wide` for tables and charts. */
  width?: 'normal' | 'wide'
  children: ReactNode
}

/** A page with a heading and its own scroll area. */
export function Page({ title, intro, actions, width = 'normal', children }: PageProps) {
  return (
    <main className="h-full overflow-y-auto [scrollbar-gutter:stable]" tabIndex={-1}>
      <div
        className={`flex flex-col gap-5 px-5 py-5 min-[60rem]:px-8 min-[60rem]:py-7 ${width === 'wide' ? 'max-w-[90rem]' : 'max-w-4xl'}`}
      >
        <header className="flex min-h-8 items-start justify-between gap-6">
          <div className="flex flex-col gap-1">
            <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
            {intro && <p className="max-w-prose text-sm text-muted">{intro}</p>}
          </div>
          {actions && <div className="flex shrink-0 gap-2">{actions}</div>}
        </header>
        {children}
      </div>
    </main>
  )
}

interface EmptyStateProps {
  icon: LucideIcon
  title: string
  /** What to do next. */
  children: ReactNode
  action?: ReactNode
}

/** Shown when a list is empty. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-xl border border-dashed border-line px-6 py-12 text-center">
      <span className="rounded-full bg-accent-soft p-3 text-accent">
        <Icon size={22} aria-hidden />
      </span>
      <p className="font-medium">{title}</p>
      <p className="max-w-md text-sm text-muted">{children}</p>
      {action}
    </div>
  )
}

/** Renders a list once it is loaded; before that, the loading state or the error. */
export function Loaded<Item>({
  list,
  what,
  children,
}: {
  list: Pick<ListState<Item>, 'items' | 'error' | 'load'>
  /** "routers" gives "Loading routers…". */
  what: string
  children: (items: readonly Item[]) => ReactNode
}) {
  return (
    <>
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.load()} />}
      {list.items
        ? children(list.items)
        : !list.error && <Skeleton>{rich('Loading {what}…', { what })}</Skeleton>}
    </>
  )
}

/** Stands where something is loading. @param children  says what, for screen readers */
export function Skeleton({ children }: { children: ReactNode }) {
  return (
    <div aria-busy className="flex w-full flex-col gap-3 py-3">
      <p className="sr-only">{children}</p>
      {['w-2/3', 'w-full', 'w-5/6'].map((width) => (
        <span key={width} className={`block h-3 rounded-full bg-line ${width}`} />
      ))}
    </div>
  )
}

/** A box on a page. */
export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return (
    <div className={`rounded-xl border border-line bg-surface p-4 ${className}`}>{children}</div>
  )
}
