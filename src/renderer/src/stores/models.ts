import type { ModelInput } from '../../../shared/entities.ts'
import { call } from './client.ts'
import { createListStore } from './list.ts'

export const useModels = createListStore(() => call('models:list'))

/** Saves the user's own facts about a model. @throws CallError with the invalid field */
export async function saveModel(input: ModelInput): Promise<void> {
  await call('models:save', input)
  await useModels.getState().load()
}
