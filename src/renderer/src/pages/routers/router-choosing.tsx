import { useState } from 'react'
import { Checkbox } from '../../components/checkbox.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { Note } from '../../components/error-note.tsx'
import { NumberField } from '../../components/number-field.tsx'
import { errorOf } from '../../stores/client.ts'
import { CascadeFields } from './cascade-fields.tsx'
import {
  ExplorationField,
  PercentileField,
  ToleranceField,
  WeightFields,
  type RoutingFieldsProps,
} from './choosing-fields.tsx'
import { countSet, isUsed, readRouting, type Circumstances } from './routing-fields.ts'
import { ShadowFields } from './shadow-fields.tsx'
import { WhoMayAnswer } from './who-may-answer.tsx'

interface RouterChoosingProps extends RoutingFieldsProps {
  circumstances: Circumstances
  models: readonly string[]
}

/** Routing options besides the strategy. Open at first if one is set. */
export function RouterChoosing({ circumstances, models, ...fields }: RouterChoosingProps) {
  const { texts, error } = fields
  const count = countSet(readRouting(texts, circumstances))
  const [isOpenAtFirst] = useState(count > 0)
  const { strategy } = circumstances
  return (
    <Disclosure
      title="Routing options"
      remark={count === 0 ? '' : `${count} set`}
      isOpenAtFirst={isOpenAtFirst}
      hasError={errorOf(error, 'routing') !== null}
    >
      {isUsed('qualityTolerance', circumstances) && (
        <ToleranceField strategy={strategy} {...fields} />
      )}
      {isUsed('weights', circumstances) && <WeightFields {...fields} />}
      {isUsed('latencyPercentile', circumstances) && <PercentileField {...fields} />}
      {isUsed('explorationShare', circumstances) && <ExplorationField {...fields} />}
      <WhoMayAnswer models={models} {...fields} />
      <WhileAnswering circumstances={circumstances} {...fields} />
      <CascadeFields models={models} {...fields} />
      <ShadowFields models={models} {...fields} />
      <ContentField {...fields} />
    </Disclosure>
  )
}

function WhileAnswering({
  circumstances,
  texts,
  onChange,
}: RoutingFieldsProps & { circumstances: Circumstances }) {
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-2 text-sm font-medium">Requests</legend>
      <Checkbox
        label="Try the next model on failure"
        hint="If off, a failure of the first model is returned."
        checked={texts.fallback}
        onChange={(fallback) => onChange({ ...texts, fallback })}
      />
      {isUsed('sticky', circumstances) && (
        <Checkbox
          label="Keep conversations on one model"
          hint="As long as the model is nearly as good as the best. Keeps the tone and uses the prompt cache."
          checked={texts.sticky}
          onChange={(sticky) => onChange({ ...texts, sticky })}
        />
      )}
      {isUsed('chooseEffort', circumstances) && (
        <Checkbox
          label="Choose the reasoning effort"
          hint="For models rated at several efforts: short reasoning for easy prompts, more for hard ones. A request’s own reasoning_effort always wins."
          checked={texts.chooseEffort}
          onChange={(chooseEffort) => onChange({ ...texts, chooseEffort })}
        />
      )}
      {isUsed('pacing', circumstances) && (
        <Checkbox
          label="Make the budget last"
          hint="Prefers cheaper models when spending runs ahead of budget."
          checked={texts.pacing}
          onChange={(pacing) => onChange({ ...texts, pacing })}
        />
      )}
    </fieldset>
  )
}

function ContentField({ texts, error, onChange }: RoutingFieldsProps) {
  return (
    <div className="flex flex-col gap-2">
      <NumberField
        label="Content logging"
        unit="days"
        hint="Stores prompts and answers. Leave empty to turn off; saving then deletes stored content."
        isWhole
        value={texts.contentDays}
        error={errorOf(error, 'routing.contentDays')}
        onChange={(text) => onChange({ ...texts, contentDays: text })}
      />
      {texts.contentDays.trim() !== '' && (
        <Note kind="warn">
          <span className="min-w-0 flex-1">
            Modelport will store the full text of every prompt and answer of this router on this
            computer. Anyone with access to the data folder can read it.
          </span>
        </Note>
      )}
    </div>
  )
}
