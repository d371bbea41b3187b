import type { Model, ModelInput } from '../../../../../shared/entities.ts'
import type { ListedModel } from '../../../../../shared/models/listed-model.ts'

/** The price of the same model at another provider. */
export interface SuggestedPrice {
  /** The model whose price it is. */
  from: Model
  inputUsdPerMtok: number
  outputUsdPerMtok: number
}

/** @returns null when the catalogue has no model of this name */
export function suggestPrice(
  { id, providerId }: Model,
  catalog: readonly ListedModel[],
): SuggestedPrice | null {
  const name = bareName(id)
  for (const { model } of catalog) {
    const { inputUsdPerMtok, outputUsdPerMtok, providerId: other } = model
    if (inputUsdPerMtok === null || outputUsdPerMtok === null || other === providerId) continue
    if (bareName(model.id) === name) return { from: model, inputUsdPerMtok, outputUsdPerMtok }
  }
  return null
}

/** The suggested price as the user's own figures, with what the catalogue knows of the same model. */
export function figuresOf(
  { id, contextTokens, capabilities }: Model,
  price: SuggestedPrice,
): ModelInput {
  const { from, inputUsdPerMtok, outputUsdPerMtok } = price
  const context = contextTokens ?? from.contextTokens
  return {
    id,
    inputUsdPerMtok,
    outputUsdPerMtok,
    ...(context === null ? {} : { contextTokens: context }),
    capabilities: capabilities.length > 0 ? capabilities : [...from.capabilities],
  }
}

/** No price: the user's own server. What the catalogue knows of the same model is kept. */
export function freeFigures(model: Model, catalog: readonly ListedModel[]): ModelInput {
  const known = suggestPrice(model, catalog)
  const free = { from: known?.from ?? model, inputUsdPerMtok: 0, outputUsdPerMtok: 0 }
  return figuresOf(model, free)
}

/** The name without provider and maker: `fireworks:accounts/x/Llama-3.3-70B` is `llama-3.3-70b`. */
function bareName(id: string): string {
  const name = id.slice(id.indexOf(':') + 1).toLowerCase()
  return name.slice(name.lastIndexOf('/') + 1).replace(/:(free|latest)$/, '')
}
