import { Advanced } from '../../components/advanced.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import { errorOf } from '../../stores/client.ts'
import { CascadeFields } from './cascade-fields.tsx'
import {
  ExplorationField,
  PercentileField,
  QualityFields,
  WeightFields,
} from './choosing-fields.tsx'
import { Part } from './part.tsx'
import { SwitchField } from './router-field.tsx'
import { countSet, isUsed } from './router-texts.ts'
import { SafetyModelSelect } from './safety-model-select.tsx'
import { SessionFields } from './session-fields.tsx'
import { ShadowFields } from './shadow-fields.tsx'
import { strategyChoices } from './strategies.ts'
import type { RouterEditor, RouterFields } from './use-router-editor.ts'
import { useStrategyNotes } from './use-what-if.ts'
import { t } from '../../../../shared/strings/strings.ts'

const advanced = [
  'routing.latencyPercentile',
  'routing.explorationShare',
  'routing.sticky',
  'routing.chooseEffort',
  'routing.cascade',
  'routing.safetyModel',
  'routing.subagents',
  'routing.escalateWhenStuck',
  'routing.checkCommand',
  'routing.stepDown',
  'routing.experiments.gate',
  'routing.split',
  'routing.shadowSteps.share',
  'routing.shadow.share',
] as const

export function StrategyPart(fields: RouterEditor) {
  const { routerId, texts, saved, error, change } = fields
  const hasError = [...advanced, 'routing.shadow', 'routing.shadowSteps'].some(
    (path) => errorOf(error, path) !== null,
  )
  return (
    <Part
      title={t('Strategy')}
      intro={t(
        'How the router chooses. The figures are estimates for the last 200 requests, against the saved strategy.',
      )}
    >
      <RadioCards
        label={t('Strategy')}
        isLabelHidden
        isWide
        choices={strategyChoices}
        notes={useStrategyNotes(routerId, texts, saved.strategy)}
        value={texts.strategy}
        error={errorOf(error, 'strategy')}
        onChange={(strategy) => change({ strategy })}
      />
      <QualityFields {...fields} />
      <WeightFields {...fields} />
      <Advanced count={countSet(texts, advanced)} hasError={hasError}>
        <PercentileField {...fields} />
        <ExplorationField {...fields} />
        <Conversations {...fields} />
        <SessionFields {...fields} />
        <CascadeFields {...fields} />
        <SafetyModelSelect {...fields} />
        <ShadowFields {...fields} />
      </Advanced>
    </Part>
  )
}

/** Settings of conversations; hidden for strategies that keep the order of the list. */
function Conversations(fields: RouterFields) {
  if (!isUsed('routing.sticky', fields.texts)) return null
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-2 text-sm font-medium">{t('Conversations and reasoning')}</legend>
      <SwitchField path="routing.sticky" {...fields} />
      <SwitchField path="routing.chooseEffort" {...fields} />
    </fieldset>
  )
}
