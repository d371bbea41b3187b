import { routerFields } from '../../../../shared/routers/router-fields.ts'
import { makesEmbeddings } from '../../../../shared/models/model-abilities.ts'
import { formatPrice } from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { ErrorText } from '../../components/field.tsx'
import { Select, type Choice } from '../../components/select.tsx'
import { errorOf } from '../../stores/client.ts'
import { useModels } from '../../stores/models.ts'
import type { RouterFields } from './use-router-editor.ts'

/** The model that answers a coding agent's checks of actions, of all that can be used. */
export function SafetyModelSelect({ texts, error, change }: RouterFields) {
  const models = useModels(({ items }) => items) ?? []
  const { label, hint, placeholder } = routerFields['routing.safetyModel']
  const chosen = texts['routing.safetyModel']
  const none: Choice<string> = { value: '', label: placeholder }
  const choices = models
    .filter((model) => model.inputUsdPerMtok !== null && !makesEmbeddings(model))
    .map(({ id, inputUsdPerMtok, outputUsdPerMtok }) => ({
      value: id,
      label: id,
      hint: formatPrice(inputUsdPerMtok, outputUsdPerMtok),
    }))
  const isListed = chosen === '' || choices.some(({ value }) => value === chosen)
  const missing = isListed ? [] : [{ value: chosen, label: chosen, hint: t('Not available') }]
  return (
    <div className="flex flex-col gap-1.5">
      <Select
        label={label}
        choices={[none, ...missing, ...choices]}
        value={chosen}
        onChange={(id) => change({ 'routing.safetyModel': id })}
      />
      <p className="text-xs text-muted">{hint}</p>
      <ErrorText>{errorOf(error, 'routing.safetyModel')}</ErrorText>
    </div>
  )
}
