import { Menu } from '@base-ui/react/menu'
import { useNavigate } from '@tanstack/react-router'
import { ChevronUp, CircleUserRound, KeyRound, Settings } from 'lucide-react'
import { useContext } from 'react'
import { PopupContext } from '../components/popup-layer.tsx'

/** Settings and API keys, in the profile menu as the specification requires. */
export function ProfileMenu() {
  const navigate = useNavigate()
  const entries = [
    { to: '/settings', label: 'Settings', icon: Settings },
    { to: '/keys', label: 'API Keys', icon: KeyRound },
  ] as const
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label="Profile menu"
        className="flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm text-muted hover:bg-hover hover:text-ink"
      >
        <CircleUserRound size={16} aria-hidden className="shrink-0" />
        <span className="sr-only min-[70rem]:not-sr-only">Profile</span>
        <ChevronUp size={14} aria-hidden className="ml-auto hidden min-[70rem]:block" />
      </Menu.Trigger>
      <Menu.Portal container={useContext(PopupContext)}>
        <Menu.Positioner side="top" align="start" sideOffset={6} className="z-20">
          <Menu.Popup className="min-w-44 rounded-lg border border-line bg-raised p-1 shadow-lg">
            {entries.map(({ to, label, icon: Icon }) => (
              <Menu.Item
                key={to}
                onClick={() => void navigate({ to })}
                className="flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm data-highlighted:bg-hover"
              >
                <Icon size={15} aria-hidden />
                {label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
