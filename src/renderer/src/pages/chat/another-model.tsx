import { Menu } from '@base-ui/react/menu'
import { Columns2, RefreshCw } from 'lucide-react'
import { useContext } from 'react'
import { buttonClass } from '../../components/button.tsx'
import { PopupContext } from '../../components/popup-layer.tsx'

const ways = [
  { title: 'Regenerate with', icon: RefreshCw, isBeside: false },
  { title: 'Compare with', icon: Columns2, isBeside: true },
] as const

interface AnotherModelProps {
  /** The router's models, except the one that answered. */
  models: readonly string[]
  onAsk: (model: string, isBeside: boolean) => void
}

/** Asks another model the same question, to replace the answer or to compare. */
export function AnotherModel({ models, onAsk }: AnotherModelProps) {
  const container = useContext(PopupContext)
  if (models.length === 0) return null
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label="Another model"
        title="Another model"
        className={`${buttonClass('quiet', 'small')} w-7 px-0`}
      >
        <RefreshCw size={14} aria-hidden />
      </Menu.Trigger>
      <Menu.Portal container={container}>
        <Menu.Positioner align="start" sideOffset={4} className="z-20">
          <Menu.Popup className="max-h-80 max-w-96 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-lg">
            {ways.map(({ title, icon: Icon, isBeside }) => (
              <Menu.Group key={title}>
                <Menu.GroupLabel className="px-2.5 pt-2 pb-1 text-xs text-muted">
                  {title}
                </Menu.GroupLabel>
                {models.map((model) => (
                  <Menu.Item
                    key={model}
                    onClick={() => onAsk(model, isBeside)}
                    className="flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm wrap-anywhere data-highlighted:bg-hover"
                  >
                    <Icon size={14} aria-hidden className="shrink-0" />
                    {model}
                  </Menu.Item>
                ))}
              </Menu.Group>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
