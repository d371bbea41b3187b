import { Menu } from '@base-ui/react/menu'
import { ChevronDown, Columns2, RefreshCw, Split, TrendingDown, TrendingUp } from 'lucide-react'
import { useContext } from 'react'
import { buttonClass } from '../../components/button.tsx'
import { PopupContext } from '../../components/popup-layer.tsx'
import type { Alternatives } from './alternatives.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface AnotherModelProps {
  /** The router's models, except the one that answered. */
  models: readonly string[]
  /** The models that are named by what they change. */
  named?: Alternatives
  /** Called when the menu opens. */
  onOpen?: () => void
  /** Shows the name of the button; otherwise only its icon. */
  isWorded?: boolean
  /** @param model  null lets the router choose */
  onAsk: (model: string | null, isBeside: boolean) => void
}

const noneNamed: Alternatives = { cheaper: null, stronger: null }

const itemClass =
  'flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm wrap-anywhere data-highlighted:bg-hover'

/** Asks the same question again, to replace the answer or to compare. */
export function AnotherModel(props: AnotherModelProps) {
  const { models, named = noneNamed, onOpen, isWorded = false, onAsk } = props
  const container = useContext(PopupContext)
  if (isWorded && models.length === 0) return null
  const { cheaper, stronger } = named
  const others = models.filter((one) => one !== cheaper?.model && one !== stronger?.model)
  const label = isWorded ? t('Another model') : t('Ask again')
  return (
    <Menu.Root onOpenChange={(isOpen) => isOpen && onOpen?.()}>
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
                  {t('Again')}
                </Menu.Item>
              )}
              {cheaper && (
                <Menu.Item onClick={() => onAsk(cheaper.model, false)} className={itemClass}>
                  <TrendingDown size={14} aria-hidden className="shrink-0" />
                  {t('Cheaper: {model}, {change}', {
                    model: cheaper.model,
                    change: cheaper.change,
                  })}
                </Menu.Item>
              )}
              {stronger && (
                <Menu.Item onClick={() => onAsk(stronger.model, false)} className={itemClass}>
                  <TrendingUp size={14} aria-hidden className="shrink-0" />
                  {t('Stronger: {model}, {change}', {
                    model: stronger.model,
                    change: stronger.change,
                  })}
                </Menu.Item>
              )}
              {others.map((model) => (
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
