import { Select as BaseSelect } from '@base-ui/react/select'
import { Check, ChevronsUpDown } from 'lucide-react'
import { useContext } from 'react'
import { inputClass } from './field.tsx'
import { PopupContext } from './popup-layer.tsx'
import { t } from '../../../shared/strings/strings.ts'

export interface Choice<Value extends string> {
  value: Value
  label: string
  /** One line under the label. */
  hint?: string
}

interface SelectProps<Value extends string> {
  label: string
  /** Hides the label; it remains the accessible name. */
  isLabelHidden?: boolean
  choices: readonly Choice<Value>[]
  value: Value | null
  placeholder?: string
  onChange: (value: Value) => void
}

/** A labelled drop-down. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, isLabelHidden = false, choices, value, placeholder, onChange } = props
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <BaseSelect.Root<Value>
        items={[...choices]}
        value={value}
        onValueChange={(chosen) => chosen !== null && onChange(chosen)}
      >
        <BaseSelect.Label className={isLabelHidden ? 'sr-only' : 'text-sm font-medium'}>
          {label}
        </BaseSelect.Label>
        <BaseSelect.Trigger
          className={`${inputClass} flex items-center justify-between gap-2 text-left`}
        >
          <BaseSelect.Value className="truncate" placeholder={placeholder ?? t('Choose…')} />
          <BaseSelect.Icon className="text-muted">
            <ChevronsUpDown size={14} aria-hidden />
          </BaseSelect.Icon>
        </BaseSelect.Trigger>
        <BaseSelect.Portal container={useContext(PopupContext)}>
          <BaseSelect.Positioner
            className="z-20"
            sideOffset={4}
            alignItemWithTrigger={false}
            positionMethod="fixed"
          >
            <BaseSelect.Popup className="max-h-80 min-w-(--anchor-width) max-w-96 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-lg">
              {choices.map((choice) => (
                <Option key={choice.value} choice={choice} />
              ))}
            </BaseSelect.Popup>
          </BaseSelect.Positioner>
        </BaseSelect.Portal>
      </BaseSelect.Root>
    </div>
  )
}

function Option({ choice }: { choice: Choice<string> }) {
  return (
    <BaseSelect.Item
      value={choice.value}
      className="grid grid-cols-[1rem_1fr] items-baseline gap-2 rounded-md px-2 py-1.5 text-sm data-highlighted:bg-hover"
    >
      <BaseSelect.ItemIndicator className="text-accent">
        <Check size={14} aria-hidden />
      </BaseSelect.ItemIndicator>
      <span className="col-start-2 flex flex-col">
        <BaseSelect.ItemText>{choice.label}</BaseSelect.ItemText>
        {choice.hint && <span className="text-xs text-muted">{choice.hint}</span>}
      </span>
    </BaseSelect.Item>
  )
}
