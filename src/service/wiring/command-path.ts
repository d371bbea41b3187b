import { localState } from '../shared-state/shared-state.ts'
import { openAnswerMemory } from './answer-memory.ts'
import { connectExecutionLeases } from './execution-leases.ts'
import { startLearning, type Learning } from './learning.ts'
import { createQuota } from './quota.ts'
import { createRequestPath } from './request-path.ts'
import type { Workspace } from './workspace.ts'

/** The normal request path of a command: in its own process, without an endpoint. Closes all of it after the work. */
export async function withRequestPath<Result>(
  workspace: Workspace,
  work: (path: ReturnType<typeof createRequestPath>, learning: Learning) => Promise<Result>,
): Promise<Result> {
  const quota = createQuota(workspace)
  const shared = localState(workspace.storage.idempotency)
  const memory = openAnswerMemory(workspace, shared)
  const learning = await startLearning(workspace)
  const executionLeases = connectExecutionLeases(workspace)
  const metrics = { add: () => {}, rowSettled: () => {} }
  const parts = { quota, memory, metrics, learning, executionLeases, timeLimits: {}, shared }
  try {
    return await work(createRequestPath(workspace, parts), learning)
  } finally {
    await executionLeases.close()
    memory.close()
    await learning.close()
    await quota.close()
  }
}
