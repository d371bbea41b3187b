/** Tuning for the command line: in its own process, beside a running service or without one. */
import type { Tuning } from '../tuning/tuning.ts'
import { localState } from '../shared-state/shared-state.ts'
import { openAnswerMemory } from './answer-memory.ts'
import { connectExecutionLeases } from './execution-leases.ts'
import { startLearning } from './learning.ts'
import { createQuota } from './quota.ts'
import { createRequestPath } from './request-path.ts'
import { connectTuning } from './tuning.ts'
import type { Workspace } from './workspace.ts'

/** Closes everything when the work has ended. */
export async function withTuning(
  workspace: Workspace,
  work: (tuning: Tuning) => Promise<void>,
): Promise<void> {
  const quota = createQuota(workspace)
  const shared = localState(workspace.storage.idempotency)
  const memory = openAnswerMemory(workspace, shared)
  const learning = await startLearning(workspace)
  const executionLeases = connectExecutionLeases(workspace)
  const metrics = { add: () => {}, rowSettled: () => {} }
  const parts = { quota, memory, metrics, learning, executionLeases, timeLimits: {}, shared }
  const { completeChat } = createRequestPath(workspace, parts)
  const tuning = connectTuning(workspace, { completeChat, learning })
  try {
    await work(tuning)
  } finally {
    await tuning.close()
    await executionLeases.close()
    memory.close()
    await learning.close()
    await quota.close()
  }
}
