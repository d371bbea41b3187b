import type { ConversationMessage } from '../../../../shared/chat/conversations.ts'
import type { Router } from '../../../../shared/entities.ts'
import { dearestModel, savingOf, type Saving } from '../../charts/savings.ts'
import { useNow } from '../../components/use-now.ts'
import { useConversations } from '../../stores/chat.ts'
import { useModels } from '../../stores/models.ts'
import { useReport } from '../../stores/reports.ts'
import { wholeLedger } from '../../usage/range.ts'
import { comparedModels } from './conversation-figures.ts'

/**
 * What the conversation's tokens would have cost with the dearest model that could have answered, from the rows that the ledger still
 * has; null when there are none, and when no model has a price.
 */
export function useConversationSaving(
  conversation: string,
  messages: readonly ConversationMessage[],
  router: Router,
): Saving | null {
  const nowMs = useNow()
  const known = useConversations(({ items }) => items?.find(({ id }) => id === conversation))
  const models = useModels(({ items }) => items) ?? []
  const { bucketMs } = wholeLedger
  const { report } = useReport(
    known
      ? {
          fromMs: known.createdAtMs,
          toMs: known.createdAtMs + 1_000 * bucketMs,
          bucketMs,
          group: 'conversation',
        }
      : null,
  )
  const total = report?.groups.find(({ name }) => name === conversation)?.figures
  if (total === undefined) return null
  const compared = comparedModels(messages, router)
  const model = dearestModel(
    { total },
    models.filter(({ id }) => compared.has(id)),
    { nowMs },
  )
  return model && savingOf({ total }, [], { model, nowMs })
}
