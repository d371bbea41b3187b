/** Connects shadow sampling to the request path, the stores and what routing learned. */
import { randomBytes, randomInt } from 'node:crypto'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { Router } from '../../shared/entities.ts'
import type { CompleteChat } from '../chat/chat-call.ts'
import { createIds } from '../ids.ts'
import { createChatAsker } from '../tuning/chat-asker.ts'
import type { Candidate } from '../routing/candidate.ts'
import { StepSampler } from '../tuning/shadow/step-sampler.ts'
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
  return new ShadowSampler({
    ...samplingParts(workspace, completeChat),
    store: workspace.storage.shadowSamples,
    knowledgeOf: (candidate, routerId) =>
      learning.statistics.knowledgeOf(candidate, { routerId, isStreamed: false }),
    judgedPrompts: learning.judgedPrompts,
    newFence: () => randomBytes(12).toString('hex'),
  })
}

export function createStepSampler(workspace: Workspace, completeChat: CompleteChat): StepSampler {
  const { shadowSamples: money, sessionProofs: steps } = workspace.storage
  return new StepSampler({ ...samplingParts(workspace, completeChat), money, steps })
}

function samplingParts(workspace: Workspace, completeChat: CompleteChat) {
  const { configuration, candidatesOf, upstreams, deployments, log, now } = workspace
  const newId = createIds(now)
  return {
    routers: () => configuration.current().routers,
    candidatesOf,
    isUsable: ({ providerId, modelId }: Candidate) =>
      upstreams.outage(providerId) === null && deployments.standing(modelId).kind === 'ready',
    askerFor: (router: Router) =>
      createChatAsker({
        completeChat,
        router,
        runId: shadowRunId(router.id),
        source: 'shadow',
        newId,
      }),
    newId,
    random: () => randomInt(2 ** 32) / 2 ** 32,
    now,
    afterAnswer: nextIteration,
    onError: (error: unknown) => log.failed('shadow samples', error),
  }
}
