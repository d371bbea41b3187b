/** Unsaved settings of routers, and their save. */
import type { Router } from '../../../../shared/entities.ts'
import { toCallError } from '../../stores/client.ts'
import { createDrafts } from '../../stores/drafts.ts'
import { updateRouter, useRouters } from '../../stores/routers.ts'
import { showToast, showUndo } from '../../stores/toasts.ts'
import { offerUndo } from '../../stores/undo.ts'
import {
  changedParts,
  readRouterTexts,
  toRouterInput,
  toRouterTexts,
  type RouterTexts,
} from './router-texts.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** Drafts by router id; `newRouterDraft` names those of new routers. */
export const routerDrafts = createDrafts<RouterTexts>()

export const useRouterDrafts = routerDrafts.useDrafts

/** The id of a new router's draft: one for each address of its form. No router has such an id. */
export function newRouterDraft(address: Record<'preset' | 'models', string | undefined>): string {
  return `new ${JSON.stringify([address.preset, address.models])}`
}

/** Keeps a draft, unless it is as saved. */
export function keepIfChanged(id: string, draft: RouterTexts, saved: RouterTexts): void {
  if (changedParts(draft, saved).length === 0) routerDrafts.discard(id)
  else routerDrafts.keep(id, draft)
}

/**
 * Adds a model to a router at once, and to its draft, whose save would remove the model again.
 * @throws CallError
 */
export async function addModel(router: Router, modelId: string): Promise<void> {
  const { id, models } = router
  const saved = await updateRouter(id, { ...toRouterInput(router), models: [...models, modelId] })
  const draft = useRouterDrafts.getState()[id]
  if (!draft || draft.models.includes(modelId)) return
  keepIfChanged(id, { ...draft, models: [...draft.models, modelId] }, toRouterTexts(saved))
}

/**
 * Pauses or resumes a router at once, with an undo, also in its draft, whose save would change that back. Never rejects:
 * a notice says why it failed.
 */
export async function setRouterPaused(id: string, isPaused: boolean): Promise<void> {
  const router = routerNow(id)
  if (!router) return
  try {
    const saved = await updateRouter(id, withPause(router, isPaused))
    const draft = useRouterDrafts.getState()[id]
    const changed = draft && { ...draft, 'routing.isPaused': isPaused }
    if (changed) keepIfChanged(id, changed, toRouterTexts(saved))
  } catch (error) {
    showToast({ text: toCallError(error).message })
    return
  }
  const { name } = router
  const text = isPaused ? t('{name} is paused.', { name }) : t('{name} is resumed.', { name })
  showUndo(text, () => setRouterPaused(id, !isPaused))
}

function withPause(router: Router, isPaused: boolean) {
  return { ...toRouterInput(router), routing: { ...router.routing, isPaused } }
}

function routerNow(id: string): Router | undefined {
  return useRouters.getState().items?.find((router) => router.id === id)
}

/**
 * Saves a draft and offers to undo that. The undo restores all settings that the save could change, and the draft is
 * unsaved again.
 * @throws CallError with the invalid field
 */
export async function saveRouterDraft(router: Router, texts: RouterTexts): Promise<void> {
  const { id, name, routing } = router
  const draftOf = () => useRouterDrafts.getState()[id]
  // The page renames at once; a draft may be older.
  await updateRouter(id, { ...readRouterTexts(texts), name })
  if (draftOf() === texts) routerDrafts.discard(id)
  const isPauseSaved = texts['routing.isPaused'] !== routing.isPaused
  offerUndo({
    text: t('{name} saved', { name }),
    path: `/routers/${id}`,
    undo: async () => {
      // Since the save it may have been renamed, paused or resumed.
      const now = routerNow(id) ?? router
      const { isPaused } = isPauseSaved ? routing : now.routing
      await updateRouter(id, { ...withPause(router, isPaused), name: now.name })
      if (draftOf()) return
      routerDrafts.keep(id, isPauseSaved ? texts : { ...texts, 'routing.isPaused': isPaused })
    },
  })
}
