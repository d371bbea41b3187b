import type { Model, ModelInput } from '../../../shared/entities.ts'
import { makesEmbeddings } from '../../../shared/models/model-abilities.ts'
import { call } from './client.ts'
import { createListStore } from './list.ts'

export const useModels = createListStore(() => call('models:list'))

/** All models of the catalogue and of the user's providers. Loaded by the first page that needs it. */
export const useCatalogModels = createListStore(() => call('models:catalog'))

/** Loads the models again, also the whole list where a page has loaded it. */
export async function loadModels(): Promise<void> {
  const isListed = useCatalogModels.getState().items !== null
  await Promise.all([
    useModels.getState().load(),
    ...(isListed ? [useCatalogModels.getState().load()] : []),
  ])
}

/** Saves the user's own facts about a model. @throws CallError with the invalid field */
export async function saveModel(input: ModelInput): Promise<void> {
  await saveModels([input])
}

/** Saves facts about several models. The first that is refused ends it. @throws CallError with the invalid field */
export async function saveModels(inputs: readonly ModelInput[]): Promise<void> {
  try {
    for (const input of inputs) await call('models:save', input)
  } finally {
    await loadModels()
  }
}

/** Ids whose models can chat. A model that is not loaded yet counts as one. */
export function useChatModels(ids: readonly string[]): string[] {
  const known = useModels(({ items }) => items) ?? []
  return chatModels(ids, known)
}

export function chatModels(
  ids: readonly string[],
  known: readonly Pick<Model, 'id' | 'capabilities'>[],
): string[] {
  const vectorizing = new Set(known.filter(makesEmbeddings).map(({ id }) => id))
  return ids.filter((id) => !vectorizing.has(id))
}
