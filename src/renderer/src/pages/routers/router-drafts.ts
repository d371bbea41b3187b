/** Unsaved settings of routers, and their save. */
import type { Router } from '../../../../shared/entities.ts'
import { createDrafts } from '../../stores/drafts.ts'
import { updateRouter } from '../../stores/routers.ts'
import { offerUndo } from '../../stores/undo.ts'
import { readRouterTexts, toRouterInput, type RouterTexts } from './router-texts.ts'

/** By router id; `newRouterDraft` names those of new routers. */
export const routerDrafts = createDrafts<RouterTexts>()

export const useRouterDrafts = routerDrafts.useDrafts

/** The id of a new router's draft: one for each address of its form. No router has such an id. */
export function newRouterDraft(address: Record<'preset' | 'models', string | undefined>): string {
  return `new ${JSON.stringify([address.preset, address.models])}`
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
    text: `${name} saved`,
    path: `/routers/${id}`,
    undo: async () => {
      await updateRouter(id, before)
      if (!draftOf()) routerDrafts.keep(id, texts)
    },
  })
}
