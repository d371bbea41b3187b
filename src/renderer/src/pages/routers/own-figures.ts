import type { Model, ModelInput } from '../../../../shared/entities.ts'

/**
 * The user's own facts about a model, to save together with a new price. Catalogue facts are
 * left out: saved as the user's own, they would override newer catalogues.
 */
export function ownFigures(
  model: Model,
): Pick<
  ModelInput,
  'capabilities' | 'maxOutputTokens' | 'quality' | 'energyWhPerKtok' | 'region' | 'refuses'
> {
  const { capabilities, maxOutputTokens } = model
  const facts = { capabilities, ...(maxOutputTokens === null ? {} : { maxOutputTokens }) }
  if (model.priceSource?.kind !== 'user') return facts
  const { quality, rating, energyWhPerKtok, region, parameters } = model
  return {
    ...facts,
    ...(quality !== null && rating?.basis === 'user' ? { quality } : {}),
    ...(energyWhPerKtok === null ? {} : { energyWhPerKtok }),
    ...(region === null ? {} : { region }),
    // True only of a catalogue's model without the user's own list.
    ...(parameters.samplesWithoutReasoning ? {} : { refuses: [...parameters.refuses] }),
  }
}
