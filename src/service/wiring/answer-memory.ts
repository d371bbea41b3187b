/** Answers in memory, cleared when keys, routers or their models change. */
import { Idempotency } from '../chat/kept-answers/idempotency.ts'
import { Recordings } from '../chat/kept-answers/recordings.ts'
import { ResponseCache } from '../chat/kept-answers/response-cache.ts'
import type { SharedState } from '../shared-state/shared-state.ts'
import { answerCopies } from './shared-state.ts'
import type { Workspace } from './workspace.ts'

export interface AnswerMemory {
  idempotency: Idempotency
  cache: ResponseCache
  recordings: Recordings
  close(): void
}

export function openAnswerMemory(workspace: Workspace, shared: SharedState): AnswerMemory {
  const { configuration, candidatesOf, now, clock } = workspace
  const idempotency = new Idempotency({
    store: shared.idempotency,
    mayAsk({ apiKeyId, routerId }) {
      const { apiKeys, routers } = configuration.current()
      return apiKeys.get(apiKeyId)?.revokedAtMs === null && routers.has(routerId)
    },
  })
  const cache = new ResponseCache({
    configuration: () => configuration.current(),
    candidatesOf,
    copies: answerCopies(shared),
    now,
    clock,
  })
  const stopListening = configuration.onChange(() => {
    idempotency.forgetRefused()
    cache.forgetStale()
  })
  return {
    idempotency,
    cache,
    recordings: new Recordings(),
    close() {
      stopListening()
      cache.close()
    },
  }
}
