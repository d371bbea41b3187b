import { call } from './client.ts'
import { createListStore } from './list.ts'

/** The models that run on this computer, installed or not. Events keep it up to date. */
export const useLocalModels = createListStore(() => call('local-models:list'))

/** Begins or continues a download; the list shows how it goes. @throws CallError */
export function downloadLocalModel(name: string): Promise<void> {
  return call('local-models:download', { name })
}

/** @throws CallError */
export function pauseLocalModel(name: string): Promise<void> {
  return call('local-models:pause', { name })
}

/** Deletes a downloaded model; forgets a file of the user's. @throws CallError */
export function removeLocalModel(name: string): Promise<void> {
  return call('local-models:remove', { name })
}

/** Adds a model file that the user chooses. @throws CallError when it is not a model */
export async function addLocalModelFile(): Promise<void> {
  await call('local-models:add-file')
  await useLocalModels.getState().load()
}
