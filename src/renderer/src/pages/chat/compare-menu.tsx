import { Menu } from '@base-ui/react/menu'
import { Link } from '@tanstack/react-router'
import { Check, Columns2, Plus } from 'lucide-react'
import { useContext, useEffect } from 'react'
import type { Router } from '../../../../shared/entities.ts'
import { strategyProfiles } from '../../../../shared/routers/strategies.ts'
import { buttonClass } from '../../components/button.tsx'
import { PopupContext } from '../../components/popup-layer.tsx'
import { tooltipOf } from '../../shell/commands.ts'
import { closeComparisonMenu, useComparisonMenu } from '../../stores/comparison-menu.ts'
import {
  mostOtherRouters,
  setBlind,
  toggleComparedRouter,
  useRouterComparison,
} from '../../stores/router-comparison.ts'
import { focusMessageField } from './focus-message-field.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

const itemClass =
  'grid grid-cols-[1rem_1fr] items-baseline gap-2 rounded-md px-2 py-1.5 text-sm data-disabled:opacity-55 data-highlighted:bg-hover'

interface CompareMenuProps {
  conversation: string
  router: Router
  others: readonly Router[]
  routers: readonly Router[]
}

/** Chooses the routers that answer beside the conversation's own. The command of the same name opens it. */
export function CompareMenu({ conversation, router, others, routers }: CompareMenuProps) {
  const isOpen = useComparisonMenu((menu) => menu.isOpen)
  const isBlind = useRouterComparison((state) => state.blind[conversation] ?? false)
  const container = useContext(PopupContext)
  // Otherwise the menu would be open when it is next shown.
  useEffect(() => closeComparisonMenu, [])
  const choices = routers.filter(({ id }) => id !== router.id)
  return (
    <Menu.Root
      open={isOpen}
      onOpenChange={(isNowOpen) => useComparisonMenu.setState({ isOpen: isNowOpen })}
    >
      <Menu.Trigger
        aria-label={t('Compare routers')}
        title={tooltipOf('compare-routers')}
        className={`${buttonClass('quiet', 'icon')} ${others.length > 0 ? 'bg-accent-soft text-accent' : 'text-muted'}`}
      >
        <Columns2 size={16} aria-hidden />
      </Menu.Trigger>
      <Menu.Portal container={container}>
        <Menu.Positioner align="end" sideOffset={4} className="z-20">
          <Menu.Popup
            finalFocus={focusMessageField}
            className="max-h-80 max-w-96 min-w-56 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-lg"
          >
            <Menu.Group>
              <Menu.GroupLabel className="px-2 pt-1.5 pb-1 text-xs text-muted">
                {rich('Compare {name} with', { name: router.name })}
              </Menu.GroupLabel>
              {choices.map(({ id, name, strategy }) => {
                const isCompared = others.some((other) => other.id === id)
                return (
                  <Menu.CheckboxItem
                    key={id}
                    closeOnClick
                    checked={isCompared}
                    disabled={!isCompared && others.length === mostOtherRouters}
                    onCheckedChange={() => toggleComparedRouter(conversation, id, others)}
                    className={itemClass}
                  >
                    <Menu.CheckboxItemIndicator className="text-accent">
                      <Check size={14} aria-hidden />
                    </Menu.CheckboxItemIndicator>
                    <span className="col-start-2 flex flex-col">
                      <span className="wrap-anywhere">{name}</span>
                      <span className="text-xs text-muted">{strategyProfiles[strategy].label}</span>
                    </span>
                  </Menu.CheckboxItem>
                )
              })}
            </Menu.Group>
            {choices.length > 0 && (
              <Menu.CheckboxItem
                checked={isBlind}
                onCheckedChange={(isOn) => setBlind(conversation, isOn)}
                className={`${itemClass} mt-1 border-t border-line pt-2.5`}
              >
                <Menu.CheckboxItemIndicator className="text-accent">
                  <Check size={14} aria-hidden />
                </Menu.CheckboxItemIndicator>
                <span className="col-start-2 flex flex-col">
                  {t('Blind')}
                  <span className="text-xs text-muted">
                    {t('Names and figures are hidden until you keep an answer.')}
                  </span>
                </span>
              </Menu.CheckboxItem>
            )}
            {choices.length === 0 && (
              <Menu.Item render={<Link to="/routers/new" />} className={itemClass}>
                <Plus size={14} aria-hidden className="self-center text-muted" />
                {t('Create another router')}
              </Menu.Item>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
