import { useId } from 'react'
import type { StrategyName } from '../../../../shared/routers/strategy-names.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface StrategyChipsProps {
  choices: readonly { value: StrategyName; label: string; description: string }[]
  value: StrategyName
  onChange: (strategy: StrategyName) => void
}

/** The strategies in one row that wraps in narrow windows. Arrow keys move the choice. */
export function StrategyChips({ choices, value, onChange }: StrategyChipsProps) {
  const name = useId()
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="mb-2 text-xs font-medium text-muted">{t('Strategy')}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          title={choice.description}
          className="relative rounded-md border border-line px-2.5 py-1 text-sm text-muted hover:bg-hover hover:text-ink has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent forced-colors:has-checked:outline-2 forced-colors:has-checked:outline-[Highlight]"
        >
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            className="absolute inset-0 appearance-none opacity-0"
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  )
}
