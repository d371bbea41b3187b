import { Menu } from '@base-ui/react/menu'
import { Ellipsis, type LucideIcon } from 'lucide-react'
import { useContext } from 'react'
import { buttonClass } from './button.tsx'
import { PopupContext } from './popup-layer.tsx'
import { t } from '../../../shared/strings/strings.ts'

interface ActionMenuProps {
  /** The name of the entry: "Travel plans" gives the accessible name "Actions for Travel plans". */
  entry: string
  actions: readonly { label: string; icon: LucideIcon; onSelect: () => void }[]
}

/** A menu with the less frequent actions for one entry of a list. */
export function ActionMenu({ entry, actions }: ActionMenuProps) {
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={t('Actions for {of}', { of: entry })}
        className={`${buttonClass('quiet', 'icon')} text-muted`}
      >
        <Ellipsis size={15} aria-hidden />
      </Menu.Trigger>
      <Menu.Portal container={useContext(PopupContext)}>
        <Menu.Positioner align="end" sideOffset={4} className="z-20">
          <Menu.Popup className="min-w-36 rounded-lg border border-line bg-raised p-1 shadow-lg">
            {actions.map(({ label, icon: Icon, onSelect }) => (
              <Menu.Item
                key={label}
                onClick={onSelect}
                className="flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm data-highlighted:bg-hover"
              >
                <Icon size={14} aria-hidden />
                {label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
