/** Fields that only some strategies use. */
import { strategyProfiles, type StrategyName } from '../../../../shared/routers/strategies.ts'
import {
  defaultWeights,
  greatestExplorationShare,
} from '../../../../shared/routers/routing-settings.ts'
import { NumberField } from '../../components/number-field.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import { RangeField } from '../../components/range-field.tsx'
import { errorOf, type CallError } from '../../stores/client.ts'
import { weightNames, type RoutingTexts } from './routing-fields.ts'
import { toleranceMeaning } from './tolerance-meaning.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

export interface RoutingFieldsProps {
  texts: RoutingTexts
  error: CallError | null
  onChange: (texts: RoutingTexts) => void
}

/** The range of the slider. The command line accepts other values. */
const usualTolerance = { min: 0.02, max: 0.2 }
/** Where the slider starts for a strategy without a tolerance of its own. */
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

/** What a strategy with an account of allowed loss promises. */
export function LossField({
  strategy,
  ...fields
}: RoutingFieldsProps & { strategy: StrategyName }) {
  const { texts, error, onChange } = fields
  const isOwn = texts.qualityTolerance !== null
  const chosen = texts.limitEachPrompt ? 'each' : 'mean'
  return (
    <>
      <RadioCards
        label={t('Keep quality')}
        choices={lossChoices}
        value={isOwn ? 'own' : chosen}
        error={errorOf(error, 'routing.limitEachPrompt')}
        onChange={(value) =>
          onChange({
            ...texts,
            limitEachPrompt: value === 'each',
            qualityTolerance: value === 'own' ? firstTolerance : null,
          })
        }
      />
      {isOwn && <ToleranceField strategy={strategy} {...fields} />}
    </>
  )
}

export function ToleranceField({
  strategy,
  texts,
  error,
  onChange,
}: RoutingFieldsProps & { strategy: StrategyName }) {
  const own = strategyProfiles[strategy].qualityTolerance
  const value = texts.qualityTolerance ?? own ?? firstTolerance
  const { min, max } = usualTolerance
  return (
    <RangeField
      label={t('Quality tolerance')}
      valueText={value === own ? t('{tolerance} (default)', { tolerance: value }) : String(value)}
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
      onChange={(chosen) =>
        onChange({ ...texts, qualityTolerance: chosen === own ? null : chosen })
      }
    />
  )
}

const weightLabels = { cost: t('Cost'), latency: t('Latency'), carbon: t('Carbon') } as const

export function WeightFields({ texts, error, onChange }: RoutingFieldsProps) {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">{t('Weights')}</legend>
      <p className="text-xs text-muted">
        {t('How much each factor counts against expected quality, from 0 to 1.')}
      </p>
      <div className="grid grid-cols-3 gap-3">
        {weightNames.map((name) => (
          <NumberField
            key={name}
            label={weightLabels[name]}
            placeholder={String(defaultWeights[name])}
            value={texts.weights[name]}
            error={errorOf(error, `routing.weights.${name}`)}
            onChange={(text) => onChange({ ...texts, weights: { ...texts.weights, [name]: text } })}
          />
        ))}
      </div>
    </fieldset>
  )
}

const percentiles = [
  { value: '50', label: t('Typical answers'), hint: t('Median latency') },
  { value: '95', label: t('Slow answers'), hint: t('95th percentile latency') },
] as const

export function PercentileField({ texts, error, onChange }: RoutingFieldsProps) {
  return (
    <RadioCards
      label={t('Compare latency of')}
      choices={percentiles}
      value={texts.latencyPercentile === 95 ? '95' : '50'}
      error={errorOf(error, 'routing.latencyPercentile')}
      onChange={(chosen) => onChange({ ...texts, latencyPercentile: chosen === '95' ? 95 : 50 })}
    />
  )
}

export function ExplorationField({ texts, error, onChange }: RoutingFieldsProps) {
  const share = texts.explorationShare
  return (
    <RangeField
      label={t('Exploration')}
      valueText={
        share === 0
          ? 'off'
          : t('{percent} % of requests', { percent: Math.round(share * 1000) / 10 })
      }
      hint={t(
        'Sends this share of requests to another good model to learn faster. This can cost more.',
      )}
      value={share}
      min={0}
      max={greatestExplorationShare}
      step={0.001}
      error={errorOf(error, 'routing.explorationShare')}
      onChange={(explorationShare) => onChange({ ...texts, explorationShare })}
    />
  )
}
