/** Fields that only some strategies use. */
import { formatQualityPoints } from '../../../../shared/models/quality-words.ts'
import { routerFields } from '../../../../shared/routers/router-fields.ts'
import { routerGroups } from '../../../../shared/routers/router-groups.ts'
import { greatestExplorationShare } from '../../../../shared/routers/routing-settings.ts'
import { strategyProfiles } from '../../../../shared/routers/strategies.ts'
import { RadioCards } from '../../components/radio-cards.tsx'
import { RangeField } from '../../components/range-field.tsx'
import { errorOf } from '../../stores/client.ts'
import { TypedField } from './router-field.tsx'
import { isUsed } from './router-texts.ts'
import { toleranceMeaning } from './tolerance-meaning.ts'
import type { RouterFields } from './use-router-editor.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

/** The range of the slider. The command line accepts other values. */
const usualTolerance = { min: 0.02, max: 0.2 }
/** First value of the slider for a strategy without a tolerance of its own. */
const firstTolerance = 0.05

const lossChoices = [
  {
    value: 'mean',
    label: t('On average'),
    hint: t(
      'Keeps 95 % of the quality of the model expected to be best, on average. Measured on public exam questions before any judged answer: 95–99 %, and 33–40 % lower cost.',
    ),
  },
  {
    value: 'each',
    label: t('For every prompt'),
    hint: t(
      'Keeps 95 % for every prompt, as expected. Hard prompts go to strong models, so it saves less.',
    ),
  },
  {
    value: 'own',
    label: t('My own tolerance'),
    hint: t('Uses the cheapest model within a quality tolerance.'),
  },
] as const

/** What a strategy promises about quality. */
export function QualityFields(fields: RouterFields) {
  const { texts, error, change } = fields
  const isOwn = texts['routing.qualityTolerance'] !== null
  const chosen = texts['routing.limitEachPrompt'] ? 'each' : 'mean'
  if (!isUsed('routing.limitEachPrompt', texts))
    return isUsed('routing.qualityTolerance', texts) && <ToleranceField {...fields} />
  return (
    <>
      <RadioCards
        label={routerFields['routing.limitEachPrompt'].label}
        choices={lossChoices}
        value={isOwn ? 'own' : chosen}
        error={errorOf(error, 'routing.limitEachPrompt')}
        onChange={(value) =>
          change({
            'routing.limitEachPrompt': value === 'each',
            'routing.qualityTolerance': value === 'own' ? firstTolerance : null,
          })
        }
      />
      {isOwn && <ToleranceField {...fields} />}
    </>
  )
}

function ToleranceField({ texts, error, change }: RouterFields) {
  const own = strategyProfiles[texts.strategy].qualityTolerance
  const value = texts['routing.qualityTolerance'] ?? own ?? firstTolerance
  const { min, max } = usualTolerance
  const tolerance = formatQualityPoints(value)
  return (
    <RangeField
      label={routerFields['routing.qualityTolerance'].label}
      valueText={value === own ? t('{tolerance} (default)', { tolerance }) : tolerance}
      hint={
        <>
          {rich(
            'How far below the best model’s expected quality a model may be. {toleranceMeaning} Measured with Cost optimized on public exam questions. Your results may differ.',
            { toleranceMeaning: toleranceMeaning(value) },
          )}
        </>
      }
      value={value}
      min={Math.min(min, value)}
      max={Math.max(max, value)}
      step={0.01}
      error={errorOf(error, 'routing.qualityTolerance')}
      onChange={(chosen) => change({ 'routing.qualityTolerance': chosen === own ? null : chosen })}
    />
  )
}

export function WeightFields(fields: RouterFields) {
  if (!isUsed('routing.weights.cost', fields.texts)) return null
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">{routerGroups['routing.weights'].label}</legend>
      <p className="text-xs text-muted">
        {t('How much each factor counts against expected quality, from 0 to 1.')}
      </p>
      <div className="grid grid-cols-3 gap-3">
        <TypedField path="routing.weights.cost" {...fields} />
        <TypedField path="routing.weights.latency" {...fields} />
        <TypedField path="routing.weights.carbon" {...fields} />
      </div>
    </fieldset>
  )
}

const percentiles = [
  { value: '50', label: t('Typical answers'), hint: t('Median latency') },
  { value: '95', label: t('Slow answers'), hint: t('95th percentile latency') },
] as const

export function PercentileField({ texts, error, change }: RouterFields) {
  const path = 'routing.latencyPercentile'
  if (!isUsed(path, texts)) return null
  return (
    <RadioCards
      label={routerFields[path].label}
      choices={percentiles}
      value={texts[path] === 95 ? '95' : '50'}
      error={errorOf(error, path)}
      onChange={(chosen) => change({ [path]: chosen === '95' ? 95 : 50 })}
    />
  )
}

export function ExplorationField({ texts, error, change }: RouterFields) {
  const path = 'routing.explorationShare'
  const { label, hint } = routerFields[path]
  const share = texts[path]
  if (!isUsed(path, texts)) return null
  return (
    <RangeField
      {...{ label, hint }}
      valueText={
        share === 0
          ? t('off')
          : t('{percent} % of requests', { percent: Math.round(share * 1000) / 10 })
      }
      value={share}
      min={0}
      max={greatestExplorationShare}
      step={0.001}
      error={errorOf(error, path)}
      onChange={(chosen) => change({ [path]: chosen })}
    />
  )
}
