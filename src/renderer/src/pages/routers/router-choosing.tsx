import { useState } from 'react'
import { Checkbox } from '../../components/checkbox.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { Note } from '../../components/error-note.tsx'
import { TextField } from '../../components/field.tsx'
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
import { WhoMayAnswer } from './who-may-answer.tsx'

interface RouterChoosingProps extends RoutingFieldsProps {
  circumstances: Circumstances
  models: readonly string[]
}

/** How the router chooses, beyond its strategy: closed unless something in it is set. */
export function RouterChoosing({ circumstances, models, ...fields }: RouterChoosingProps) {
  const { texts, error } = fields
  const count = countSet(readRouting(texts, circumstances))
  const [isOpenAtFirst] = useState(count > 0)
  const { strategy } = circumstances
  return (
    <Disclosure
      title="How it chooses"
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
      <legend className="mb-2 text-sm font-medium">When it is asked</legend>
      <Checkbox
        label="Ask the next model when one fails"
        hint="Without it, the first model’s failure is the answer."
        checked={texts.fallback}
        onChange={(fallback) => onChange({ ...texts, fallback })}
      />
      {isUsed('sticky', circumstances) && (
        <Checkbox
          label="A conversation stays with its model"
          hint="While that is about as good: no change of tone, and its prompt cache is used."
          checked={texts.sticky}
          onChange={(sticky) => onChange({ ...texts, sticky })}
        />
      )}
      {isUsed('pacing', circumstances) && (
        <Checkbox
          label="Make the budget last"
          hint="Dear models are chosen less while the spending runs ahead of the day or month."
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
      <TextField
        label="Keep prompts and answers for (days)"
        hint="Empty: none is kept, and saving deletes what was."
        inputMode="numeric"
        value={texts.contentDays}
        error={errorOf(error, 'routing.contentDays')}
        onChange={({ target }) => onChange({ ...texts, contentDays: target.value })}
      />
      {texts.contentDays.trim() !== '' && (
        <Note kind="warn">
          <span className="min-w-0 flex-1">
            Every prompt sent to this router and every answer will be on this computer’s disk, word
            by word. Whoever can read the data folder can read them.
          </span>
        </Note>
      )}
    </div>
  )
}
