import type { Model, ModelInput } from '../../../shared/entities.ts'
import { makesEmbeddings } from '../../../shared/model-abilities.ts'
import { call } from './client.ts'
import { createListStore } from './list.ts'

export const useModels = createListStore(() => call('models:list'))

/** Saves the user's own facts about a model. @throws CallError with the invalid field */
export async function saveModel(input: ModelInput): Promise<void> {
  await call('models:save', input)
  await useModels.getState().load()
}

/** Those of the ids whose models can chat. A model that is not loaded yet counts as one. */
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
