import { timeLimitNames } from '../../../../shared/time-limits.ts'
import { TextField } from '../../components/field.tsx'
import { errorOf, type CallError } from '../../stores/client.ts'
import type { HedgeTexts } from './hedge-fields.ts'
import {
  defaultText,
  timeLimitError,
  timeLimitLabels,
  type TimeLimitTexts,
} from './time-limit-fields.ts'

interface FieldsProps<Texts> {
  texts: Texts
  error: CallError | null
  onChange: (texts: Texts) => void
}

export function TimeLimitFields({ texts, error, onChange }: FieldsProps<TimeLimitTexts>) {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">Longest waits for a model, in seconds</legend>
      <p className="text-xs text-muted">
        When one is over, the next model is asked, as long as nothing was shown yet.
      </p>
      <div className="grid grid-cols-2 gap-3">
        {timeLimitNames.map((name) => (
          <TextField
            key={name}
            label={timeLimitLabels[name]}
            inputMode="decimal"
            placeholder={defaultText(name)}
            value={texts[name]}
            error={timeLimitError(error, name)}
            onChange={(event) => onChange({ ...texts, [name]: event.target.value })}
          />
        ))}
      </div>
    </fieldset>
  )
}

export function HedgeFields({ texts, error, onChange }: FieldsProps<HedgeTexts>) {
  const words = errorOf(error, 'hedge')
  const isPercent = error?.field?.endsWith('.maxExtraPercent') === true
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">A second model beside a slow one</legend>
      <p className="text-xs text-muted">
        Whichever shows something first answers; the other is cut off, and its prompt is paid for.
      </p>
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label="Ask it after (seconds)"
          hint="auto: slower than 95 % of its own answers. Empty: off."
          value={texts.after}
          error={isPercent ? null : words}
          onChange={(event) => onChange({ ...texts, after: event.target.value })}
        />
        <TextField
          label="May add to the cost (%)"
          hint="Of what this router spent in 24 hours."
          inputMode="decimal"
          placeholder="5"
          value={texts.maxExtraPercent}
          error={isPercent ? words : null}
          onChange={(event) => onChange({ ...texts, maxExtraPercent: event.target.value })}
        />
      </div>
    </fieldset>
  )
}
