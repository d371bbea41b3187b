/** The service stores what it learns while it runs, and the next one loads it. */
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { topicNames } from '../../shared/routers/topics.ts'
import { denseFeatureNames } from '../routing/prompt/dense-feature-names.ts'
import { candidate } from '../../../test/routing/sample-candidates.ts'
import { startLearning, type Learning } from './learning.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const model = candidate()
const streams = { routerId: 'r', isStreamed: true }

async function open(dataDir: string): Promise<Workspace> {
  const workspace = await openWorkspace({
    dataDir,
    cacheDir: dataDir,
    allowSessionSecrets: true,
    env: {},
    now: () => 1_000_000,
  })
  onTestFinished(() => workspace.close())
  return workspace
}

function answer({ statistics }: Learning): void {
  for (let nth = 0; nth < 5; nth += 1) {
    statistics.answered({
      candidate: model,
      routerId: streams.routerId,
      isStreamed: true,
      isCold: false,
      firstTokenMs: 200,
      totalMs: 700,
      uncachedTokens: 50,
      writtenTokens: 51,
      outputTokens: 51,
      timings: null,
      isCutOff: false,
      teachesLength: true,
      reading: null,
    })
  }
}

test('the next service starts with this one’s statistics', async () => {
  const dataDir = temporaryFolder()
  const workspace = await open(dataDir)
  const learning = await startLearning(workspace)
  answer(learning)
  const learnt = learning.statistics.knowledgeOf(model, streams)
  await learning.close()
  await workspace.close()

  const next = await startLearning(await open(dataDir))
  onTestFinished(() => next.close())

  expect(learnt.latency.source).toBe('learned')
  expect(next.statistics.knowledgeOf(model, streams)).toEqual(learnt)
})

test('statistics are stored every 30 s, so that a crash loses little', async () => {
  const workspace = await open(temporaryFolder())
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const learning = await startLearning(workspace)
  onTestFinished(() => learning.close())
  answer(learning)

  vi.advanceTimersByTime(29_000)
  expect(await workspace.storage.modelStatistics.read()).toEqual([])
  vi.advanceTimersByTime(1_000)
  await expect
    .poll(() => workspace.storage.modelStatistics.read())
    .toMatchObject([{ id: model.modelId }])
})

test('judged prompts count in the estimates of their models', async () => {
  const workspace = await open(temporaryFolder())
  const topics = topicNames.map((topic) => (topic === 'law' ? 1 : 0))
  const form = denseFeatureNames.map(() => 0)
  await workspace.storage.judgedPrompts.add(
    'r1',
    Array.from({ length: 50 }, () => ({
      id: randomUUID(),
      atMs: 1_000_000,
      topics,
      difficulty: 0,
      confidence: 1,
      form,
      kind: 'law' as const,
      errorRate: 0,
      answers: [{ modelId: model.modelId, startLogit: 0, grade: 1 }],
    })),
  )

  const learning = await startLearning(workspace)
  onTestFinished(() => learning.close())

  expect(learning.statistics.knowledgeOf(model, streams).own?.coefficients[0]).toBeGreaterThan(0.1)
  expect(learning.ownKinds('r1')).not.toBeNull()
})
