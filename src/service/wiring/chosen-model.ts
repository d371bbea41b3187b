/** The catalogue entries of local models: downloaded ones, files that the user added, and the file in place of the built-in model. */
import type { LocalModelInfo } from '../../shared/models/local-models.ts'
import { builtInProvider } from '../../shared/models/provider-type.ts'
import type { CatalogModel, LiveCatalog } from '../catalog/catalog.ts'
import { builtInModel } from '../local/library/offered-models.ts'
import { localModelName, type ChosenModelFile, type LocalModel } from '../local/local-model.ts'

const builtInId = `${builtInProvider.type}:${localModelName}`

/** The id of the built-in model, or of the file in its place. */
export function builtInOrChosenId(localModel: LocalModel): string {
  const chosen = localModel.chosenFile()
  return chosen === null ? builtInId : `${builtInProvider.type}:${chosen.name}`
}

/** Shows the models that can answer now, and removes those that cannot any more. */
export async function showLocalModels(catalog: LiveCatalog, localModel: LocalModel): Promise<void> {
  const models = await localModel.models()
  const builtIn = catalog.bundledModels().find(({ id }) => id === builtInId)
  if (!builtIn) return
  const chosen = localModel.chosenFile()
  catalog.replaceModel(
    chosen && { replacedId: builtInId, model: entryOf(figuresOfChosen(chosen), builtIn) },
  )
  const installed = models.filter(
    ({ name, state }) =>
      state.kind === 'installed' && name !== localModelName && name !== chosen?.name,
  )
  catalog.setLocalModels(installed.map((model) => entryOf(model, builtIn)))
}

type Figures = Pick<LocalModelInfo, 'name' | 'activeShare'> & {
  sizeBytes: number | null
  contextTokens: number | null
}

function figuresOfChosen({ name, sizeBytes, facts, contextTokens }: ChosenModelFile): Figures {
  return { name, sizeBytes, contextTokens, activeShare: facts?.activeShare ?? 1 }
}

/**
 * Each token of an answer reads all weights that it uses once, so energy grows with their size: the file's size, and in
 * a mixture of experts the active share of it.
 */
function entryOf(figures: Figures, builtIn: CatalogModel): CatalogModel {
  const { name, sizeBytes, contextTokens, activeShare } = figures
  const { energyWhPerKtok, asOf } = builtIn
  const isKnown = sizeBytes !== null && energyWhPerKtok !== null
  const weightsRatio = ((sizeBytes ?? 0) * activeShare) / builtInModel.sizeBytes
  return {
    ...builtIn,
    id: `${builtInProvider.type}:${name}`,
    contextTokens,
    weights: null,
    rating: null,
    efforts: [],
    energyWhPerKtok: isKnown ? energyWhPerKtok * weightsRatio : null,
    energySource: isKnown
      ? {
          source: `estimated: as ${localModelName}, times the size of the weights that a token uses`,
          asOf,
        }
      : null,
  }
}
