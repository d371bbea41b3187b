/** Model statistics and feedback: read at the start, saved in the background. */
import { ModelStatistics } from '../chat/learning/model-statistics.ts'
import { openLiveFeedback } from '../storage/live-feedback.ts'
import type { Workspace } from './workspace.ts'

/** A crash loses the statistics of this period. They fade within minutes, so more writes are not worth it. */
const saveMs = 30_000

export interface Learning {
  statistics: ModelStatistics
  /** Saves the latest statistics. */
  close(): Promise<void>
}

/** @throws StorageUnavailable */
export async function startLearning(workspace: Workspace): Promise<Learning> {
  const { storage, deployments, localModel, log, now } = workspace
  const stored = await storage.statistics.read()
  const feedback = await openLiveFeedback({
    store: storage.feedback,
    now,
    onError: (error) => log.failed('feedback', error),
  })
  const statistics = new ModelStatistics({
    stored,
    pendingOf: (modelId) => deployments.pendingOf(modelId),
    feedbackOf: (modelId) => feedback.countsOf(modelId),
    isLocalModelCold: () => localModel.state().status !== 'ready',
    now,
  })
  const save = async () => {
    const changed = statistics.takeChanged()
    if (changed.length === 0) return
    await storage.statistics
      .save(changed)
      .catch((error: unknown) => log.failed('model statistics', error))
  }
  const timer = setInterval(() => void save(), saveMs)
  timer.unref()
  return {
    statistics,
    close() {
      clearInterval(timer)
      feedback.close()
      return save()
    },
  }
}
