import { Advanced } from '../../components/advanced.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import { errorOf } from '../../stores/client.ts'
import { CascadeFields } from './cascade-fields.tsx'
import {
  ExplorationField,
  LossField,
  PercentileField,
  ToleranceField,
  WeightFields,
  type RoutingFieldsProps,
} from './choosing-fields.tsx'
import { Part } from './part.tsx'
import { countSet, isUsed, readRouting, type Circumstances } from './routing-fields.ts'
import { routingFieldsOf } from './routing-fields-of.ts'
import { circumstancesOf } from './router-texts.ts'
import { ShadowFields } from './shadow-fields.tsx'
import { strategyChoices } from './strategies.ts'
import type { RouterEditor } from './use-router-editor.ts'
import { useStrategyNotes } from './use-what-if.ts'
import { t } from '../../../../shared/strings/strings.ts'

const advanced = [
  'latencyPercentile',
  'explorationShare',
  'sticky',
  'chooseEffort',
  'cascade',
  'shadow',
] as const

export function StrategyPart(fields: RouterEditor) {
  const { routerId, texts, error, change } = fields
  const { strategy, models } = texts
  const circumstances = circumstancesOf(texts)
  const routing = routingFieldsOf(fields)
  const hasError = advanced.some((name) => errorOf(error, `routing.${name}`) !== null)
  return (
    <Part
      title={t('Strategy')}
      intro={t('How the router chooses. The figures compare the last 200 requests.')}
    >
      <RadioCards
        label={t('Strategy')}
        isWide
        choices={strategyChoices}
        notes={useStrategyNotes(routerId, texts)}
        value={strategy}
        error={errorOf(error, 'strategy')}
        onChange={(chosen) => change({ strategy: chosen })}
      />
      {isUsed('limitEachPrompt', circumstances) ? (
        <LossField strategy={strategy} {...routing} />
      ) : (
        isUsed('qualityTolerance', circumstances) && (
          <ToleranceField strategy={strategy} {...routing} />
        )
      )}
      {isUsed('weights', circumstances) && <WeightFields {...routing} />}
      <Advanced
        count={countSet(readRouting(texts.routing, circumstances), advanced)}
        hasError={hasError}
      >
        {isUsed('latencyPercentile', circumstances) && <PercentileField {...routing} />}
        {isUsed('explorationShare', circumstances) && <ExplorationField {...routing} />}
        <Conversations circumstances={circumstances} {...routing} />
        <CascadeFields models={models} {...routing} />
        <ShadowFields models={models} {...routing} />
      </Advanced>
    </Part>
  )
}

/** Nothing for strategies that keep the order of the list. */
function Conversations({
  circumstances,
  texts,
  onChange,
}: RoutingFieldsProps & { circumstances: Circumstances }) {
  if (!isUsed('sticky', circumstances)) return null
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-2 text-sm font-medium">{t('Conversations and reasoning')}</legend>
      <Checkbox
        label={t('Keep conversations on one model')}
        hint={t(
          'As long as the model is nearly as good as the best. Keeps the tone and uses the prompt cache.',
        )}
        checked={texts.sticky}
        onChange={(sticky) => onChange({ ...texts, sticky })}
      />
      <Checkbox
        label={t('Choose the reasoning effort')}
        hint={t(
          'For models rated at several efforts: short reasoning for easy prompts, more for hard ones. A request’s own reasoning_effort always wins.',
        )}
        checked={texts.chooseEffort}
        onChange={(chooseEffort) => onChange({ ...texts, chooseEffort })}
      />
    </fieldset>
  )
}
