import { TextField } from '../../components/field.tsx'
import { errorOf, type CallError } from '../../stores/client.ts'
import { timeLimitNames } from '../../../../shared/time-limits.ts'
import {
  defaultText,
  timeLimitError,
  timeLimitLabels,
  type TimeLimitTexts,
} from './time-limit-fields.ts'

interface RouterAdvancedProps {
  texts: TimeLimitTexts
  error: CallError | null
  onChange: (texts: TimeLimitTexts) => void
}

/** What few routers need to set: closed until it is looked for. */
export function RouterAdvanced({ texts, error, onChange }: RouterAdvancedProps) {
  return (
    <details
      className="rounded-lg border border-line px-3 py-2"
      // An error must be seen where it belongs.
      open={errorOf(error, 'timeLimits') === null ? undefined : true}
    >
      <summary className="cursor-pointer text-sm font-medium">Advanced</summary>
      <fieldset className="mt-3 flex flex-col gap-3">
        <legend className="text-sm font-medium">Longest waits for a model, in seconds</legend>
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
    </details>
  )
}
