/** Connects shadow sampling to the request path, the stores and what routing learned. */
import { randomBytes, randomInt } from 'node:crypto'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { CompleteChat } from '../chat/chat-call.ts'
import { createIds } from '../ids.ts'
import { createChatAsker } from '../tuning/chat-asker.ts'
import { ShadowSampler } from '../tuning/shadow/shadow-sampler.ts'
import { shadowRunId } from '../tuning/shadow/shadow-runs.ts'
import type { Learning } from './learning.ts'
import type { Workspace } from './workspace.ts'

export interface ShadowSamplingParts {
  /** Completes a chat without the response cache. */
  completeChat: CompleteChat
  learning: Pick<Learning, 'statistics' | 'judgedPrompts'>
}

export function createShadowSampler(
  workspace: Workspace,
  { completeChat, learning }: ShadowSamplingParts,
): ShadowSampler {
  const { storage, configuration, candidatesOf, upstreams, deployments, log, now } = workspace
  const newId = createIds(now)
  return new ShadowSampler({
    store: storage.shadowSamples,
    routers: () => configuration.current().routers,
    candidatesOf,
    isUsable: ({ providerId, modelId }) =>
      upstreams.outage(providerId) === null && deployments.standing(modelId).kind === 'ready',
    knowledgeOf: (candidate, routerId) =>
      learning.statistics.knowledgeOf(candidate, { routerId, isStreamed: false }),
    judgedPrompts: learning.judgedPrompts,
    askerFor: (router) =>
      createChatAsker({
        completeChat,
        router,
        runId: shadowRunId(router.id),
        source: 'shadow',
        newId,
      }),
    newId,
    newFence: () => randomBytes(12).toString('hex'),
    random: () => randomInt(2 ** 32) / 2 ** 32,
    now,
    afterAnswer: nextIteration,
    onError: (error) => log.failed('shadow samples', error),
  })
}
