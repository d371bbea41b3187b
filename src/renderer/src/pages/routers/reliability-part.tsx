import { Advanced } from '../../components/advanced.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { NumberField } from '../../components/number-field.tsx'
import { errorOf } from '../../stores/client.ts'
import { readHedge } from './hedge-fields.ts'
import { Part } from './part.tsx'
import { HedgeFields, TimeLimitFields } from './router-advanced.tsx'
import { readTimeLimits } from './time-limit-fields.ts'
import type { RouterFields } from './use-router-editor.ts'
import { t } from '../../../../shared/strings/strings.ts'

export function ReliabilityPart({ texts, error, change }: RouterFields) {
  const { routing, timeLimits, hedge } = texts
  const count = Object.keys(readTimeLimits(timeLimits)).length + (readHedge(hedge) ? 1 : 0)
  return (
    <Part
      title={t('Reliability')}
      intro={t('What happens when a model fails or is slow, and when a request is repeated.')}
    >
      <Checkbox
        label={t('Try the next model on failure')}
        hint={t('If off, a failure of the first model is returned.')}
        checked={routing.fallback}
        onChange={(fallback) => change({ routing: { ...routing, fallback } })}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <NumberField
          label={t('Cache answers for')}
          unit={t('seconds')}
          hint={t(
            'Identical requests with the same key get the cached answer at no cost. The cache is in memory only. Leave empty to turn off.',
          )}
          isWhole
          value={texts.cacheTtlSeconds}
          error={errorOf(error, 'cacheTtlSeconds')}
          onChange={(cacheTtlSeconds) => change({ cacheTtlSeconds })}
        />
      </div>
      <Advanced
        count={count}
        hasError={errorOf(error, 'timeLimits') !== null || errorOf(error, 'hedge') !== null}
      >
        <TimeLimitFields
          texts={timeLimits}
          error={error}
          onChange={(changed) => change({ timeLimits: changed })}
        />
        <HedgeFields
          texts={hedge}
          error={error}
          onChange={(changed) => change({ hedge: changed })}
        />
      </Advanced>
    </Part>
  )
}
