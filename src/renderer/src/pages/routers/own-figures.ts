import { ownQualityStrength, type Model, type ModelInput } from '../../../../shared/entities.ts'

/**
 * What the user gave for a model besides its price, to be saved again with it. What the catalogue says
 * is left out: saved as the user's, no newer catalogue would count any more.
 */
export function ownFigures(
  model: Model,
): Pick<ModelInput, 'capabilities' | 'maxOutputTokens' | 'quality' | 'energyWhPerKtok' | 'region'> {
  const { capabilities, maxOutputTokens } = model
  const facts = { capabilities, ...(maxOutputTokens === null ? {} : { maxOutputTokens }) }
  if (model.priceSource?.kind !== 'user') return facts
  const { quality, qualityStrength, energyWhPerKtok, region } = model
  return {
    ...facts,
    ...(quality === null || qualityStrength !== ownQualityStrength ? {} : { quality }),
    ...(energyWhPerKtok === null ? {} : { energyWhPerKtok }),
    ...(region === null ? {} : { region }),
  }
}
