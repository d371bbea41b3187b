import type { Router, RouterInput } from '../../../shared/entities.ts'
import { t } from '../../../shared/strings/strings.ts'
import { call, toCallError } from './client.ts'
import { createListStore } from './list.ts'
import { showToast, showUndo } from './toasts.ts'

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

/** Pauses or resumes a router at once, with an undo. Never rejects: a notice says why it failed. */
export async function setRouterPaused(id: string, isPaused: boolean): Promise<void> {
  const router = useRouters.getState().items?.find((each) => each.id === id)
  if (!router) return
  const { id: _id, createdAtMs: _created, updatedAtMs: _updated, ...settings } = router
  try {
    await updateRouter(id, { ...settings, routing: { ...settings.routing, isPaused } })
  } catch (error) {
    showToast({ text: toCallError(error).message })
    return
  }
  const { name } = router
  const text = isPaused ? t('{name} is paused.', { name }) : t('{name} is resumed.', { name })
  showUndo(text, () => setRouterPaused(id, !isPaused))
}

/** @throws CallError when the router is in use or does not exist */
export async function removeRouter(id: string): Promise<void> {
  await call('routers:remove', { id })
  await useRouters.getState().load()
}
