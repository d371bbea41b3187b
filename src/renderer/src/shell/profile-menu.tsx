import { Menu } from '@base-ui/react/menu'
import { ChevronUp, CircleUserRound, Keyboard, Settings } from 'lucide-react'
import { useContext } from 'react'
import { commandOf } from '../../../shared/app/commands.ts'
import { PopupContext } from '../components/popup-layer.tsx'
import { ShortcutKeys } from '../components/shortcut-keys.tsx'
import { runCommand } from './commands.ts'
import { useNavigation } from './use-commands.ts'
import { t } from '../../../shared/strings/strings.ts'

const entries = [
  { id: 'page:/settings', icon: Settings },
  { id: 'shortcuts', icon: Keyboard },
] as const

/** Settings, which lead to the API keys as the specification requires, and the shortcuts. */
export function ProfileMenu() {
  const navigation = useNavigation()
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={t('Profile menu')}
        title={t('Profile menu')}
        className="rail-item text-muted hover:bg-hover hover:text-ink"
      >
        <CircleUserRound size={16} aria-hidden className="shrink-0" />
        <span className="rail-text">{t('Profile')}</span>
        <ChevronUp size={14} aria-hidden className="rail-text ml-auto" />
      </Menu.Trigger>
      <Menu.Portal container={useContext(PopupContext)}>
        <Menu.Positioner side="top" align="start" sideOffset={6} className="z-20">
          <Menu.Popup className="min-w-56 rounded-lg border border-line bg-raised p-1 shadow-lg">
            {entries.map(({ id, icon: Icon }) => {
              const { title, shortcut } = commandOf(id)
              return (
                <Menu.Item
                  key={id}
                  onClick={() => runCommand(id, navigation)}
                  className="flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm data-highlighted:bg-hover"
                >
                  <Icon size={15} aria-hidden />
                  <span className="flex-1">{title}</span>
                  {shortcut !== null && <ShortcutKeys shortcut={shortcut} />}
                </Menu.Item>
              )
            })}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
