import type { Router, RouterInput } from '../../../shared/entities.ts'
import { call } from './client.ts'
import { createListStore } from './list.ts'

export const useRouters = createListStore(() => call('routers:list'))

/** @throws CallError with the invalid field */
export async function createRouter(router: RouterInput): Promise<Router> {
  const created = await call('routers:create', router)
  await useRouters.getState().load()
  return created
}

/** @throws CallError with the invalid field */
export async function updateRouter(id: string, router: RouterInput): Promise<Router> {
  const updated = await call('routers:update', { id, router })
  await useRouters.getState().load()
  return updated
}

/** @throws CallError when the router is in use or does not exist */
export async function removeRouter(id: string): Promise<void> {
  await call('routers:remove', { id })
  await useRouters.getState().load()
}
