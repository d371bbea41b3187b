import { useMemo } from 'react'
import type { Router } from '../../../../shared/entities.ts'
import { useAction } from '../../components/use-action.ts'
import type { CallError } from '../../stores/client.ts'
import { keepIfChanged, routerDrafts, saveRouterDraft, useRouterDrafts } from './router-drafts.ts'
import type { RouterPart } from '../../../../shared/routers/router-fields.ts'
import { changedParts, toRouterTexts, type RouterTexts } from './router-texts.ts'

/** What the parts of a router's form need. */
export interface RouterFields {
  texts: RouterTexts
  /** The error of the last save; null while saving and after success. */
  error: CallError | null
  change: (changed: Partial<RouterTexts>) => void
}

export interface RouterEditor extends RouterFields {
  routerId: string
  saved: RouterTexts
  /** The parts with unsaved changes. */
  changed: readonly RouterPart[]
  isSaving: boolean
  save: () => void
  discard: () => void
}

/** The draft of a router, or its saved settings while there is none. */
export function useRouterEditor(router: Router): RouterEditor {
  const { id } = router
  const saved = useMemo(() => toRouterTexts(router), [router])
  const texts = useRouterDrafts((drafts) => drafts[id]) ?? saved
  const changed = useMemo(() => changedParts(texts, saved), [texts, saved])
  const { run, isRunning, error } = useAction(saveRouterDraft)
  return {
    routerId: id,
    saved,
    texts,
    // Discarded changes take their error with them.
    error: changed.length === 0 ? null : error,
    changed,
    isSaving: isRunning,
    change: (part) => keepIfChanged(id, { ...texts, ...part }, saved),
    save: () => run(router, texts),
    discard: () => routerDrafts.discard(id),
  }
}
