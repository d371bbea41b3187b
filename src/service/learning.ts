/** What the answers and the feedback on them taught, taken up at the start and given to the storage in the background. */
import { ModelStatistics } from './chat/model-statistics.ts'
import { openLiveFeedback } from './storage/live-feedback.ts'
import type { Workspace } from './workspace.ts'

/** A crash forgets this much; what fades within minutes is not worth more writes. */
const saveMs = 30_000

export interface Learning {
  statistics: ModelStatistics
  /** Stores what was learnt last. */
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
