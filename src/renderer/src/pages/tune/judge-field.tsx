import { useId } from 'react'
import type { Model, Router } from '../../../../shared/entities.ts'
import { formatPrice } from '../../../../shared/strings/format.ts'
import { makesEmbeddings } from '../../../../shared/models/model-abilities.ts'
import { ErrorText } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { useModels } from '../../stores/models.ts'
import { useProviders } from '../../stores/providers.ts'
import { changeDraft, type TuningDraft } from '../../stores/tuning-draft.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** No model id, because it has no colon. */
const noJudge = 'none'

interface JudgeFieldProps {
  draft: TuningDraft
  router: Router
  error: string | null
}

/** The model that grades answers to prompts without a check. */
export function JudgeField({ draft, router, error }: JudgeFieldProps) {
  const id = useId()
  const models = useModels(({ items }) => items) ?? []
  const providers = useProviders(({ items }) => items) ?? []
  const usable = models.filter(
    (model) =>
      model.inputUsdPerMtok !== null &&
      !makesEmbeddings(model) &&
      providers.some((one) => one.id === model.providerId),
  )
  return (
    <div className="flex max-w-prose flex-col gap-1">
      <div className="max-w-96">
        <Select
          label={t('Judge')}
          choices={[
            {
              value: noJudge,
              label: t('No judge'),
              hint: t('Only prompts with a check are asked'),
            },
            ...usable.toSorted(byQuality).map((model) => choiceOf(model, router)),
          ]}
          value={draft.judge ?? noJudge}
          onChange={(model) => changeDraft({ judge: model === noJudge ? null : model, cap: null })}
        />
      </div>
      <p className="text-xs text-muted">
        {draft.from === 'starter' && t('The starter set needs no judge: every prompt has a check.')}{' '}
        {t(
          'A judge compares two answers at a time, without the names of their models, and again in the other order. Choose a strong model from another vendor: a judge never grades models from its own vendor.',
        )}
      </p>
      <ErrorText id={`${id}-error`}>{error}</ErrorText>
    </div>
  )
}

function byQuality(a: Model, b: Model): number {
  return (b.quality ?? 0) - (a.quality ?? 0)
}

function choiceOf(model: Model, router: Router) {
  const price = formatPrice(model.inputUsdPerMtok, model.outputUsdPerMtok)
  const own = router.models.includes(model.id) ? [t('grades no answers of its own')] : []
  return { value: model.id, label: model.id, hint: [price, ...own].join(' · ') }
}
