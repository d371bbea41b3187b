/** Unsaved settings of routers, and their save. */
import type { Router } from '../../../../shared/entities.ts'
import { createDrafts } from '../../stores/drafts.ts'
import { updateRouter } from '../../stores/routers.ts'
import { offerUndo } from '../../stores/undo.ts'
import { readRouterTexts, toRouterInput, type RouterTexts } from './router-texts.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** Drafts by router id; `newRouterDraft` names those of new routers. */
export const routerDrafts = createDrafts<RouterTexts>()

export const useRouterDrafts = routerDrafts.useDrafts

/** The id of a new router's draft: one for each address of its form. No router has such an id. */
export function newRouterDraft(address: Record<'preset' | 'models', string | undefined>): string {
  return `new ${JSON.stringify([address.preset, address.models])}`
}

/**
 * Adds a model to a router at once, and to its draft, whose save would remove the model again.
 * @throws CallError
 */
export async function addModel(router: Router, modelId: string): Promise<void> {
  const { id, models } = router
  await updateRouter(id, { ...toRouterInput(router), models: [...models, modelId] })
  const draft = useRouterDrafts.getState()[id]
  if (!draft || draft.models.includes(modelId)) return
  routerDrafts.keep(id, { ...draft, models: [...draft.models, modelId] })
}

/**
 * Saves a draft and offers to undo that. The undo restores all former settings, and the draft is unsaved again.
 * @throws CallError with the invalid field
 */
export async function saveRouterDraft(router: Router, texts: RouterTexts): Promise<void> {
  const { id, name } = router
  const before = toRouterInput(router)
  const draftOf = () => useRouterDrafts.getState()[id]
  // The page renames at once; a draft may be older.
  await updateRouter(id, { ...readRouterTexts(texts), name })
  if (draftOf() === texts) routerDrafts.discard(id)
  offerUndo({
    text: t('{name} saved', { name }),
    path: `/routers/${id}`,
    undo: async () => {
      await updateRouter(id, before)
      if (!draftOf()) routerDrafts.keep(id, texts)
    },
  })
}
