import { routerFields } from '../../../../shared/routers/router-fields.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { Checkbox } from '../../components/checkbox.tsx'
import { Note } from '../../components/error-note.tsx'
import { ErrorText } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { errorOf } from '../../stores/client.ts'
import { TypedField } from './router-field.tsx'
import { usePricedModels } from './use-priced-models.ts'
import type { RouterFields } from './use-router-editor.ts'

const off = {
  'routing.shadowSteps.share': '',
  'routing.shadowSteps.model': '',
  'routing.shadowSteps.maxUsd': '',
}
const firstOn = { ...off, 'routing.shadowSteps.share': '10', 'routing.shadowSteps.maxUsd': '5' }
const modelPath = 'routing.shadowSteps.model'

/** Whether some steps of coding agents are asked of another model as well. */
export function ShadowStepFields(fields: RouterFields) {
  const { texts, error, change } = fields
  const model = texts[modelPath]
  const isOn = [
    texts['routing.shadowSteps.share'],
    texts['routing.shadowSteps.maxUsd'],
    model,
  ].some((text) => text !== '')
  const choices = usePricedModels(model)
  const { label, placeholder } = routerFields[modelPath]
  return (
    <div className="flex flex-col gap-2.5">
      <Checkbox
        label={t('Ask another model some steps, too')}
        hint={t(
          'Activity › Sessions shows how often it would have done the same. Its answer is compared and forgotten: it is never shown and never run.',
        )}
        checked={isOn}
        onChange={(checked) => change(checked ? firstOn : off)}
      />
      {isOn && (
        <>
          <div className="grid gap-3 sm:grid-cols-2">
            <TypedField path="routing.shadowSteps.share" {...fields} />
            <TypedField path="routing.shadowSteps.maxUsd" {...fields} />
          </div>
          <Select
            label={label}
            choices={choices}
            value={model === '' ? null : model}
            placeholder={placeholder}
            onChange={(id) => change({ [modelPath]: id })}
          />
          <ErrorText>{errorOf(error, modelPath)}</ErrorText>
          <Note kind="warn">
            <span className="min-w-0 flex-1">
              {t(
                'The whole prompt of each such step is sent to this model. You pay for it, up to the cap for all steps together. Checks of actions are never sent.',
              )}
            </span>
          </Note>
        </>
      )}
    </div>
  )
}
