import { capabilityNames, type Capability } from '../../../../shared/models/model-abilities.ts'
import { routerFields } from '../../../../shared/routers/router-fields.ts'
import { Checkbox } from '../../components/checkbox.tsx'
import { ErrorText } from '../../components/field.tsx'
import { errorOf } from '../../stores/client.ts'
import { useModels } from '../../stores/models.ts'
import { SwitchField, TypedField } from './router-field.tsx'
import type { RouterFields } from './use-router-editor.ts'
import { joinWords } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** A model for embeddings answers no chats, so no router can require it of its models. */
type Requirable = Exclude<Capability, 'embeddings'>

const capabilityLabels: Record<Requirable, string> = {
  tools: t('Tools'),
  vision: t('Images'),
  audio: t('Audio'),
  json: t('JSON schema'),
  json_object: t('JSON'),
  files: t('Files'),
  n: t('Several answers'),
  logprobs: t('Logprobs'),
  seed: t('Seed'),
}

const requirable = capabilityNames.filter((name): name is Requirable => name !== 'embeddings')

export function RequiredCapabilities({ texts, error, change }: RouterFields) {
  const { label, hint } = routerFields['routing.requires']
  return (
    <Ticks
      {...{ label, hint }}
      choices={requirable.map((value) => ({ value, label: capabilityLabels[value] }))}
      chosen={texts['routing.requires']}
      error={errorOf(error, 'routing.requires')}
      onChange={(requires) => change({ 'routing.requires': requires })}
    />
  )
}

/** Restricts the models that any strategy may choose by the place where they run. */
export function AllowedPlaces(fields: RouterFields) {
  return (
    <>
      <SwitchField path="routing.localOnly" {...fields} />
      <AllowedProviders {...fields} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TypedField
          path="routing.regions"
          note={<RegionHint models={fields.texts.models} />}
          {...fields}
        />
      </div>
    </>
  )
}

/** Hidden when the router has only one provider. */
function AllowedProviders({ texts, error, change }: RouterFields) {
  const path = 'routing.providers'
  const { label, hint } = routerFields[path]
  const chosen = texts[path] ?? []
  const known = [...new Set([...texts.models.map((id) => id.slice(0, id.indexOf(':'))), ...chosen])]
  if (known.length < 2 && chosen.length === 0) return null
  return (
    <Ticks
      {...{ label, hint }}
      choices={known.map((value) => ({ value, label: value }))}
      chosen={chosen}
      error={errorOf(error, path)}
      onChange={(ticked) => change({ [path]: ticked.length === 0 ? null : ticked })}
    />
  )
}

/** Lists the regions of the selected models. */
function RegionHint({ models }: { models: readonly string[] }) {
  const known = useModels((state) => state.items) ?? []
  const regions = known
    .filter(({ id }) => models.includes(id))
    .flatMap(({ region }) => (region === null ? [] : [region]))
  return (
    <>
      {t('Three-letter country codes. Leave empty to allow all.')}{' '}
      {regions.length === 0
        ? t('The regions of the selected models are unknown, so any code excludes them.')
        : t(
            'Regions of the selected models: {regions}. Models without a known region are excluded.',
            { regions: joinWords([...new Set(regions)]) },
          )}
    </>
  )
}

interface TicksProps<Value extends string> {
  label: string
  hint: string
  choices: readonly { value: Value; label: string }[]
  chosen: readonly Value[]
  error: string | null
  onChange: (chosen: Value[]) => void
}

/** A group of checkboxes. */
function Ticks<Value extends string>(props: TicksProps<Value>) {
  const { label, hint, choices, chosen, error, onChange } = props
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="text-sm font-medium">{label}</legend>
      <div className="mt-1 flex flex-wrap gap-x-5 gap-y-1.5">
        {choices.map(({ value, label: name }) => (
          <Checkbox
            key={value}
            label={name}
            checked={chosen.includes(value)}
            onChange={(isTicked) =>
              onChange(isTicked ? [...chosen, value] : chosen.filter((other) => other !== value))
            }
          />
        ))}
      </div>
      <p className="text-xs text-muted">{hint}</p>
      <ErrorText>{error}</ErrorText>
    </fieldset>
  )
}
