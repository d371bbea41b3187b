import { timeLimitNames } from '../../../../shared/routers/time-limits.ts'
import { TextField } from '../../components/field.tsx'
import { NumberField } from '../../components/number-field.tsx'
import { errorOf, type CallError } from '../../stores/client.ts'
import type { HedgeTexts } from './hedge-fields.ts'
import {
  defaultText,
  timeLimitError,
  timeLimitLabels,
  type TimeLimitTexts,
} from './time-limit-fields.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface FieldsProps<Texts> {
  texts: Texts
  error: CallError | null
  onChange: (texts: Texts) => void
}

export function TimeLimitFields({ texts, error, onChange }: FieldsProps<TimeLimitTexts>) {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">{t('Timeouts (seconds)')}</legend>
      <p className="text-xs text-muted">
        {t('When a time limit passes and no output has been sent, Modelport tries the next model.')}
      </p>
      <div className="grid grid-cols-2 gap-3">
        {timeLimitNames.map((name) => (
          <NumberField
            key={name}
            label={timeLimitLabels[name]}
            placeholder={defaultText(name)}
            value={texts[name]}
            error={timeLimitError(error, name)}
            onChange={(text) => onChange({ ...texts, [name]: text })}
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
      <legend className="mb-1 text-sm font-medium">
        {t('Hedging: also ask a second model if the first is slow')}
      </legend>
      <p className="text-xs text-muted">
        {t(
          'The first model to send output answers. The other is cancelled, but you pay for its prompt.',
        )}
      </p>
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label={t('Start after (seconds)')}
          hint={t('auto: when slower than 95 % of its recent answers. Leave empty to turn off.')}
          value={texts.after}
          error={isPercent ? null : words}
          onChange={(event) => onChange({ ...texts, after: event.target.value })}
        />
        <NumberField
          label={t('Maximum extra cost')}
          unit="%"
          hint={t('Share of this router’s spending in the last 24 hours.')}
          placeholder="5"
          value={texts.maxExtraPercent}
          error={isPercent ? words : null}
          onChange={(text) => onChange({ ...texts, maxExtraPercent: text })}
        />
      </div>
    </fieldset>
  )
}
