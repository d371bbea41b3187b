import { Plus, X } from 'lucide-react'
import { routerFields } from '../../../../shared/routers/router-fields.ts'
import { acceptances, type CascadeTier } from '../../../../shared/routers/routing-settings.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { ErrorText } from '../../components/field.tsx'
import { Select, type Choice } from '../../components/select.tsx'
import { errorOf } from '../../stores/client.ts'
import { useChatModels } from '../../stores/models.ts'
import type { RouterFields } from './use-router-editor.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

type Acceptance = CascadeTier['accept']

const mostTiers = 3

const acceptanceWords: Record<Acceptance, { label: string; hint: string }> = {
  not_refused_not_cut_off: {
    label: t('is complete'),
    hint: t('Not refused and not cut off.'),
  },
  valid_json: {
    label: t('is valid JSON'),
    hint: t('And matches the schema of the request, if any.'),
  },
  tool_call_valid: {
    label: t('is a valid tool call'),
    hint: t('A tool of the request with valid arguments.'),
  },
  agree: { label: t('agrees with a second model'), hint: t('You pay for both models.') },
}

const acceptanceChoices = acceptances.map((value) => ({ value, ...acceptanceWords[value] }))

/** Cheaper models to try first, with the check their answers must pass. */
export function CascadeFields({ texts, error, change: changeFields }: RouterFields) {
  const models = useChatModels(texts.models)
  const tiers = texts['routing.cascade']?.tiers ?? []
  const change = (changed: CascadeTier[]) =>
    changeFields({ 'routing.cascade': changed.length === 0 ? null : { tiers: changed } })
  const first = models[0]
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{routerFields['routing.cascade'].label}</legend>
      <p className="text-xs text-muted">
        {t(
          'Modelport asks these models in turn and returns the first answer that passes its check. If none passes, the strategy chooses. You pay for every answer, and streaming starts after the checks.',
        )}
      </p>
      {tiers.map((tier, index) => (
        <TierFields
          // A tier has no id, only a position.
          key={index}
          place={index + 1}
          {...{ tier, models }}
          error={errorOf(error, `routing.cascade.tiers.${index}`)}
          onChange={(changed) => change(tiers.with(index, changed))}
          onRemove={() => change(tiers.toSpliced(index, 1))}
        />
      ))}
      {error?.field?.includes('.tiers.') !== true && (
        <ErrorText>{errorOf(error, 'routing.cascade')}</ErrorText>
      )}
      {tiers.length < mostTiers && (
        <Button
          size="small"
          className="self-start"
          disabled={first === undefined}
          onClick={() =>
            change([...tiers, { models: [first ?? ''], accept: 'not_refused_not_cut_off' }])
          }
        >
          <Plus size={13} aria-hidden />{' '}
          {tiers.length === 0 ? t('Add a cheaper first attempt') : t('Add another attempt')}
        </Button>
      )}
    </fieldset>
  )
}

interface TierFieldsProps {
  place: number
  tier: CascadeTier
  models: readonly string[]
  error: string | null
  onChange: (tier: CascadeTier) => void
  onRemove: () => void
}

function TierFields({ place, tier, models, error, onChange, onRemove }: TierFieldsProps) {
  const [first = '', second = ''] = tier.models
  const isPair = tier.accept === 'agree'

  function accept(chosen: Acceptance): void {
    onChange({ accept: chosen, models: chosen === 'agree' ? [first, second] : [first] })
  }
  return (
    <fieldset className="rounded-lg border border-line px-3 pt-1 pb-3">
      <legend className="px-1 text-xs font-medium text-muted">
        {rich('Attempt {place}', { place })}
      </legend>
      <div className="flex items-start gap-3">
        <div className="grid flex-1 gap-3 sm:grid-cols-2">
          <Select
            label={t('Model')}
            choices={modelChoices(models, first)}
            value={first}
            onChange={(model) => onChange({ ...tier, models: isPair ? [model, second] : [model] })}
          />
          <Select
            label={t('Accept the answer if it')}
            choices={acceptanceChoices}
            value={tier.accept}
            onChange={accept}
          />
          {isPair && (
            <Select
              label={t('Second model')}
              choices={modelChoices(models, second).filter(({ value }) => value !== first)}
              value={second === '' ? null : second}
              onChange={(model) => onChange({ ...tier, models: [first, model] })}
            />
          )}
        </div>
        <IconButton
          label={t('Delete attempt {place}', { place })}
          className="mt-6"
          onClick={onRemove}
        >
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      <ErrorText>{error}</ErrorText>
    </fieldset>
  )
}

/** The router's models, plus the chosen one if the router no longer has it. */
function modelChoices(models: readonly string[], chosen: string): Choice<string>[] {
  const known = models.map((id) => ({ value: id, label: id }))
  if (chosen === '' || models.includes(chosen)) return known
  return [...known, { value: chosen, label: chosen, hint: t('No longer in this router') }]
}
