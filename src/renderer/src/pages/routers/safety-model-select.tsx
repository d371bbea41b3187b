import { routerFields } from '../../../../shared/routers/router-fields.ts'
import { ErrorText } from '../../components/field.tsx'
import { Select, type Choice } from '../../components/select.tsx'
import { errorOf } from '../../stores/client.ts'
import { usePricedModels } from './use-priced-models.ts'
import type { RouterFields } from './use-router-editor.ts'

/** The model that answers a coding agent's checks of actions, of all that can be used. */
export function SafetyModelSelect({ texts, error, change }: RouterFields) {
  const { label, hint, placeholder } = routerFields['routing.safetyModel']
  const chosen = texts['routing.safetyModel']
  const none: Choice<string> = { value: '', label: placeholder }
  const choices = usePricedModels(chosen)
  return (
    <div className="flex flex-col gap-1.5">
      <Select
        label={label}
        choices={[none, ...choices]}
        value={chosen}
        onChange={(id) => change({ 'routing.safetyModel': id })}
      />
      <p className="text-xs text-muted">{hint}</p>
      <ErrorText>{errorOf(error, 'routing.safetyModel')}</ErrorText>
    </div>
  )
}
