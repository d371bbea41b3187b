import { makesEmbeddings } from '../../../../shared/models/model-abilities.ts'
import { formatPrice } from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'
import type { Choice } from '../../components/select.tsx'
import { useModels } from '../../stores/models.ts'

/** All models that can chat and be billed, with the chosen one in any case. @param chosen  empty for none */
export function usePricedModels(chosen: string): Choice<string>[] {
  const models = useModels(({ items }) => items) ?? []
  const choices = models
    .filter((model) => model.inputUsdPerMtok !== null && !makesEmbeddings(model))
    .map(({ id, inputUsdPerMtok, outputUsdPerMtok }) => ({
      value: id,
      label: id,
      hint: formatPrice(inputUsdPerMtok, outputUsdPerMtok),
    }))
  const isListed = chosen === '' || choices.some(({ value }) => value === chosen)
  return isListed
    ? choices
    : [{ value: chosen, label: chosen, hint: t('Not available') }, ...choices]
}
