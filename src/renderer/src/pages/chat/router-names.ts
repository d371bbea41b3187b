import type { ConversationMessage } from '../../../../shared/chat/conversations.ts'
import type { Router } from '../../../../shared/entities.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The router of each answer by the answer's id; null unless they come from different routers. */
export function routerNames(
  answers: readonly Pick<ConversationMessage, 'id' | 'routerId'>[],
  routers: readonly Pick<Router, 'id' | 'name'>[],
): ReadonlyMap<string, string> | null {
  if (new Set(answers.map(({ routerId }) => routerId)).size < 2) return null
  return new Map(
    answers.map(({ id, routerId }) => {
      const router = routers.find((each) => each.id === routerId)
      return [id, router?.name ?? t('Deleted router')]
    }),
  )
}
