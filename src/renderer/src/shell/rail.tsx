import { Link, useLocation } from '@tanstack/react-router'
import {
  Boxes,
  Cable,
  House,
  MessageSquareText,
  PanelLeftClose,
  PanelLeftOpen,
  ScrollText,
  Search,
  Settings,
  Split,
  type LucideIcon,
} from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { commandOf } from '../../../shared/app/commands.ts'
import { pages, type PagePath } from '../../../shared/app/pages.ts'
import { ShortcutKeys } from '../components/shortcut-keys.tsx'
import { tooltipOf } from './commands.ts'
import { placeOf } from './addresses.ts'
import { EndpointPill } from './endpoint-pill.tsx'
import { ProfileMenu } from './profile-menu.tsx'
import { toggleNavigation, toggleOverlay, useShell } from './shell-state.ts'
import { t } from '../../../shared/strings/strings.ts'

const icons: Readonly<Record<PagePath, LucideIcon>> = {
  '/home': House,
  '/chat': MessageSquareText,
  '/routers': Split,
  '/activity': ScrollText,
  '/models': Boxes,
  '/connect': Cable,
  '/settings': Settings,
}

/** The main navigation. Collapsed, and in a narrow window, it shows only icons (styles.css, `rail`). */
export function Rail() {
  const isNarrow = useIsNarrow()
  const isCollapsed = useShell((state) => state.isNavigationCollapsed) || isNarrow
  return (
    <header
      data-collapsed={isCollapsed || undefined}
      className="rail flex shrink-0 flex-col gap-1 border-r border-line bg-rail p-2.5"
    >
      <div className="flex h-8 shrink-0 items-center gap-2.5 pl-2">
        <Mark />
        <span className="rail-text font-semibold tracking-tight">{t('Modelport')}</span>
      </div>
      <button
        type="button"
        title={tooltipOf('palette')}
        onClick={() => toggleOverlay('palette')}
        className="rail-item border border-line bg-surface text-muted hover:text-ink"
      >
        <Search size={16} aria-hidden className="shrink-0" />
        <span className="rail-text flex-1 text-left">{t('Search')}</span>
        <span className="rail-text" aria-hidden>
          <ShortcutKeys shortcut={commandOf('palette').shortcut ?? ''} />
        </span>
      </button>
      <nav
        aria-label={t('Pages')}
        className="-mx-1 flex min-h-0 flex-col overflow-y-auto p-1 [scrollbar-width:none]"
      >
        <ul className="flex flex-col gap-0.5">
          {pages.map(({ path, title }) => (
            <li key={path}>
              <PageLink path={path} title={title} />
            </li>
          ))}
        </ul>
      </nav>
      <div className="mt-auto flex shrink-0 flex-col gap-0.5 border-t border-line pt-1.5">
        {!isNarrow && <CollapseButton isCollapsed={isCollapsed} />}
        <EndpointPill />
        <ProfileMenu />
      </div>
    </header>
  )
}

function CollapseButton({ isCollapsed }: { isCollapsed: boolean }) {
  const Icon = isCollapsed ? PanelLeftOpen : PanelLeftClose
  return (
    <button
      type="button"
      aria-expanded={!isCollapsed}
      title={tooltipOf('toggle-navigation')}
      onClick={toggleNavigation}
      className="rail-item text-muted hover:bg-hover hover:text-ink"
    >
      <Icon size={16} aria-hidden className="shrink-0" />
      <span className="rail-text">{isCollapsed ? t('Expand') : t('Collapse')}</span>
    </button>
  )
}

const narrow = '(width < 70rem)'

function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(narrow)
      query.addEventListener('change', changed)
      return () => query.removeEventListener('change', changed)
    },
    () => matchMedia(narrow).matches,
  )
}

function PageLink({ path, title }: { path: PagePath; title: string }) {
  const Icon = icons[path]
  const isOpen = useLocation({ select: ({ pathname }) => placeOf(pathname) === path })
  return (
    <Link
      to={path}
      title={tooltipOf(`page:${path}`)}
      aria-current={isOpen ? 'page' : undefined}
      className="rail-item text-muted hover:bg-hover hover:text-ink aria-[current=page]:bg-surface aria-[current=page]:font-medium aria-[current=page]:text-ink aria-[current=page]:shadow-xs"
    >
      <Icon size={16} aria-hidden className="shrink-0" />
      <span className="rail-text">{title}</span>
    </Link>
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
