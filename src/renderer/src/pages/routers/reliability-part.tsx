import { Advanced } from '../../components/advanced.tsx'
import { errorOf } from '../../stores/client.ts'
import { Part } from './part.tsx'
import { SwitchField, TypedField } from './router-field.tsx'
import { countSet } from './router-texts.ts'
import type { RouterFields } from './use-router-editor.ts'
import { t } from '../../../../shared/strings/strings.ts'

const timeLimits = [
  'timeLimits.connectMs',
  'timeLimits.firstTokenMs',
  'timeLimits.betweenChunksMs',
  'timeLimits.totalMs',
] as const

export function ReliabilityPart(fields: RouterFields) {
  const { texts, error } = fields
  return (
    <Part
      title={t('Reliability')}
      intro={t('What happens when a model fails or is slow, and when a request is repeated.')}
    >
      <SwitchField path="routing.fallback" {...fields} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TypedField path="cacheTtlSeconds" {...fields} />
      </div>
      <Advanced
        count={countSet(texts, [...timeLimits, 'hedge.afterMs'])}
        hasError={errorOf(error, 'timeLimits') !== null || errorOf(error, 'hedge') !== null}
      >
        <TimeLimitFields {...fields} />
        <HedgeFields {...fields} />
      </Advanced>
    </Part>
  )
}

function TimeLimitFields(fields: RouterFields) {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">{t('Timeouts (seconds)')}</legend>
      <p className="text-xs text-muted">
        {t('When a time limit passes and no output has been sent, Modelport tries the next model.')}
      </p>
      <div className="grid grid-cols-2 gap-3">
        {timeLimits.map((path) => (
          <TypedField key={path} path={path} {...fields} />
        ))}
      </div>
    </fieldset>
  )
}

function HedgeFields(fields: RouterFields) {
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
        <TypedField path="hedge.afterMs" {...fields} />
        <TypedField path="hedge.maxExtraPercent" {...fields} />
      </div>
    </fieldset>
  )
}
