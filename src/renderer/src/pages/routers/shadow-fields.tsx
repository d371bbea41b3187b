import type { Model, Provider } from '../../../../shared/entities.ts'
import { routerFields } from '../../../../shared/routers/router-fields.ts'
import { routerGroups } from '../../../../shared/routers/router-groups.ts'
import { formatPrice } from '../../../../shared/strings/format.ts'
import { builtInProvider } from '../../../../shared/models/provider-type.ts'
import { judgeProblem } from '../../../../shared/routers/shadow-settings.ts'
import { makesEmbeddings } from '../../../../shared/models/model-abilities.ts'
import { Checkbox } from '../../components/checkbox.tsx'
import { Note } from '../../components/error-note.tsx'
import { ErrorText } from '../../components/field.tsx'
import { Select, type Choice } from '../../components/select.tsx'
import { errorOf } from '../../stores/client.ts'
import { useModels } from '../../stores/models.ts'
import { useProviders } from '../../stores/providers.ts'
import { TypedField } from './router-field.tsx'
import type { RouterFields } from './use-router-editor.ts'
import { t } from '../../../../shared/strings/strings.ts'

const off = {
  'routing.shadow.share': '',
  'routing.shadow.maxUsdPerDay': '',
  'routing.shadow.judge': '',
}
const firstOn = { ...off, 'routing.shadow.share': '5', 'routing.shadow.maxUsdPerDay': '1' }

/** Whether a share of the requests is sent to a second model as well, to learn from the comparison. */
export function ShadowFields(fields: RouterFields) {
  const { texts, error, change } = fields
  const isOn = [
    texts['routing.shadow.share'],
    texts['routing.shadow.maxUsdPerDay'],
    texts['routing.shadow.judge'],
  ].some((text) => text !== '')
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-2 text-sm font-medium">{routerGroups['routing.shadow'].label}</legend>
      <Checkbox
        label={t('Compare answers with a second model')}
        hint={t(
          'For a share of requests, after the answer. A judge grades both answers, and routing learns from the grades.',
        )}
        checked={isOn}
        onChange={(checked) => change(checked ? firstOn : off)}
      />
      {isOn && (
        <>
          <div className="grid gap-3 sm:grid-cols-2">
            <TypedField path="routing.shadow.share" {...fields} />
            <TypedField path="routing.shadow.maxUsdPerDay" {...fields} />
          </div>
          <JudgeSelect
            judge={texts['routing.shadow.judge']}
            models={texts.models}
            onChange={(judge) => change({ 'routing.shadow.judge': judge })}
          />
          <ErrorText>{errorOf(error, 'routing.shadow.judge')}</ErrorText>
          <Note kind="warn">
            <span className="min-w-0 flex-1">
              {t(
                'Each sampled prompt is also sent to a second model of this router, and both answers to the judge. You pay for these requests, up to the cap per UTC day. The second answer is neither shown nor stored.',
              )}
            </span>
          </Note>
        </>
      )}
    </fieldset>
  )
}

interface JudgeSelectProps {
  judge: string
  models: readonly string[]
  onChange: (judge: string) => void
}

function JudgeSelect({ judge, models, onChange }: JudgeSelectProps) {
  const known = useModels(({ items }) => items) ?? []
  const providers = useProviders(({ items }) => items) ?? []
  const { label, placeholder } = routerFields['routing.shadow.judge']
  return (
    <Select
      label={label}
      choices={judgeChoices(judge, { models, known, providers })}
      value={judge === '' ? null : judge}
      placeholder={placeholder}
      onChange={onChange}
    />
  )
}

interface JudgeSources {
  models: readonly string[]
  known: readonly Model[]
  providers: readonly Provider[]
}

/** The models that can grade this router's, best first, and the chosen one. */
function judgeChoices(judge: string, { models, known, providers }: JudgeSources): Choice<string>[] {
  const remote = providers.filter(({ type }) => type !== builtInProvider.type)
  const choices = known
    .filter(
      ({ id, providerId, inputUsdPerMtok, capabilities }) =>
        inputUsdPerMtok !== null &&
        !makesEmbeddings({ capabilities }) &&
        remote.some((provider) => provider.id === providerId) &&
        judgeProblem(id, models) === null,
    )
    .toSorted((a, b) => (b.quality ?? 0) - (a.quality ?? 0))
    .map(({ id, inputUsdPerMtok, outputUsdPerMtok }) => ({
      value: id,
      label: id,
      hint: formatPrice(inputUsdPerMtok, outputUsdPerMtok),
    }))
  const isListed = judge === '' || choices.some(({ value }) => value === judge)
  const hint = t('Cannot grade the models of this router')
  return isListed ? choices : [...choices, { value: judge, label: judge, hint }]
}
