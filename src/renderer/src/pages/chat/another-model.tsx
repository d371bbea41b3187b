import { Menu } from '@base-ui/react/menu'
import { ChevronDown, Columns2, RefreshCw, Split } from 'lucide-react'
import { useContext } from 'react'
import { buttonClass } from '../../components/button.tsx'
import { PopupContext } from '../../components/popup-layer.tsx'
import { t } from '../../../../shared/strings/strings.ts'

interface AnotherModelProps {
  /** The router's models, except the one that answered. */
  models: readonly string[]
  /** Shows the name of the button; otherwise only its icon. */
  isWorded?: boolean
  /** @param model  null lets the router choose */
  onAsk: (model: string | null, isBeside: boolean) => void
}

const itemClass =
  'flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm wrap-anywhere data-highlighted:bg-hover'

/** Asks the same question again, to replace the answer or to compare. */
export function AnotherModel({ models, isWorded = false, onAsk }: AnotherModelProps) {
  const container = useContext(PopupContext)
  if (isWorded && models.length === 0) return null
  const label = isWorded ? t('Another model') : t('Ask again')
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={label}
        title={label}
        className={isWorded ? buttonClass('plain', 'small') : buttonClass('quiet', 'icon')}
      >
        {isWorded ? (
          <>
            {t('Another model')} <ChevronDown size={13} aria-hidden />
          </>
        ) : (
          <RefreshCw size={14} aria-hidden />
        )}
      </Menu.Trigger>
      <Menu.Portal container={container}>
        <Menu.Positioner align="start" sideOffset={4} className="z-20">
          <Menu.Popup className="max-h-80 max-w-96 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-lg">
            <Menu.Group>
              <GroupLabel>{t('Regenerate with')}</GroupLabel>
              {!isWorded && (
                <Menu.Item onClick={() => onAsk(null, false)} className={itemClass}>
                  <Split size={14} aria-hidden className="shrink-0" />
                  {t('The router’s choice')}
                </Menu.Item>
              )}
              {models.map((model) => (
                <Menu.Item key={model} onClick={() => onAsk(model, false)} className={itemClass}>
                  <RefreshCw size={14} aria-hidden className="shrink-0" />
                  {model}
                </Menu.Item>
              ))}
            </Menu.Group>
            {!isWorded && models.length > 0 && (
              <Menu.Group>
                <GroupLabel>{t('Compare with')}</GroupLabel>
                {models.map((model) => (
                  <Menu.Item key={model} onClick={() => onAsk(model, true)} className={itemClass}>
                    <Columns2 size={14} aria-hidden className="shrink-0" />
                    {model}
                  </Menu.Item>
                ))}
              </Menu.Group>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

function GroupLabel({ children }: { children: string }) {
  return (
    <Menu.GroupLabel className="px-2.5 pt-2 pb-1 text-xs text-muted">{children}</Menu.GroupLabel>
  )
}
