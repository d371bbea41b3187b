/** The catalogue entry of a model file that the user chose in place of the built-in model. */
import { builtInProvider } from '../../shared/provider-type.ts'
import type { CatalogModel, LiveCatalog } from '../catalog/catalog.ts'
import { localModelName, type ChosenModelFile, type LocalModel } from '../local/local-model.ts'
import { builtInModel } from '../local/library/offered-models.ts'

const builtInId = `${builtInProvider.type}:${localModelName}`

/** Adds the chosen file's model to the catalogue, or removes it when the built-in model is back. */
export function showChosenModel(catalog: LiveCatalog, localModel: LocalModel): void {
  const chosen = localModel.chosenFile()
  const builtIn = catalog.bundledModels().find(({ id }) => id === builtInId)
  catalog.replaceModel(
    chosen && builtIn ? { replacedId: builtInId, model: chosenModel(chosen, builtIn) } : null,
  )
}

/**
 * Each token of an answer reads all weights once, so energy grows with the file's size. This overestimates
 * mixtures of experts, which read a part of them.
 */
function chosenModel({ name, sizeBytes }: ChosenModelFile, builtIn: CatalogModel): CatalogModel {
  const { energyWhPerKtok, asOf } = builtIn
  const isKnown = sizeBytes !== null && energyWhPerKtok !== null
  return {
    ...builtIn,
    id: `${builtInProvider.type}:${name}`,
    weights: null,
    rating: null,
    efforts: [],
    energyWhPerKtok: isKnown ? (energyWhPerKtok * sizeBytes) / builtInModel.sizeBytes : null,
    energySource: isKnown
      ? { source: `estimated: as ${localModelName}, times the size of the model file`, asOf }
      : null,
  }
}
