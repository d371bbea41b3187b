import { Link } from '@tanstack/react-router'
import {
  Cable,
  Gauge,
  KeyRound,
  MessageSquareText,
  Plug,
  ScrollText,
  Settings,
  Split,
  Workflow,
} from 'lucide-react'
import { EndpointPill } from './endpoint-pill.tsx'
import { ProfileMenu } from './profile-menu.tsx'

const entries = [
  { to: '/chat', label: 'Chat', icon: MessageSquareText },
  { to: '/routers', label: 'Routers', icon: Split },
  { to: '/tune', label: 'Tune', icon: Gauge },
  { to: '/agents', label: 'Agents', icon: Workflow },
  { to: '/requests', label: 'Requests', icon: ScrollText },
  { to: '/connect', label: 'Connect', icon: Cable },
  { to: '/keys', label: 'Keys', icon: KeyRound },
  { to: '/providers', label: 'Providers', icon: Plug },
  { to: '/settings', label: 'Settings', icon: Settings },
] as const

/** The main navigation. A narrow window shows only icons. */
export function Rail() {
  return (
    <header className="flex w-14 shrink-0 flex-col border-r border-line bg-rail p-2 min-[70rem]:w-48 min-[70rem]:p-3">
      <div className="flex h-10 items-center gap-2.5 px-2.5 pb-2">
        <Mark />
        <span className="sr-only font-semibold tracking-tight min-[70rem]:not-sr-only">
          Modelport
        </span>
      </div>
      <nav aria-label="Pages" className="flex flex-col gap-0.5">
        {entries.map(({ to, label, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            title={label}
            className="flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm text-muted hover:bg-hover hover:text-ink aria-[current=page]:bg-surface aria-[current=page]:font-medium aria-[current=page]:text-ink aria-[current=page]:shadow-xs"
          >
            <Icon size={16} aria-hidden className="shrink-0" />
            <span className="sr-only min-[70rem]:not-sr-only">{label}</span>
          </Link>
        ))}
      </nav>
      <div className="mt-auto flex flex-col gap-1">
        <EndpointPill />
        <ProfileMenu />
      </div>
    </header>
  )
}

/** The logo: several lines into one port. */
function Mark() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden className="shrink-0 text-accent">
      <path
        d="M2 3.5h3.5C9 3.5 8.5 10 12 10M2 10h10M2 16.5h3.5C9 16.5 8.5 10 12 10"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
      <circle cx="15.5" cy="10" r="3" fill="currentColor" />
    </svg>
  )
}
