/**
 * Ratings of answers, stored as labels of their models: how good (0 to 1), and with which weight. The ledger knows
 * the model and the kind of prompt.
 */
import {
  feedbackNameSchema,
  feedbackSchema,
  type Feedback,
  type FeedbackKind,
} from '../../shared/chat/feedback.ts'
import { unreadDifficulty } from '../../shared/models/quality-scale.ts'
import { topicShares } from '../../shared/routers/topics.ts'
import type { FeedbackLabel } from '../storage/feedback-store.ts'
import { DashboardError, type Dashboard, type DashboardOptions } from './dashboard.ts'
import { lessonOf } from './feedback-lesson.ts'
import { parseInput } from './input.ts'

/** A rating replaces the other one of the same aspect. */
const aspects: Readonly<Record<FeedbackKind, string>> = {
  up: 'thumb',
  down: 'thumb',
  valid: 'form',
  invalid: 'form',
  copied: 'copied',
  regenerated: 'regenerated',
  preferred: 'preferred',
}

type Judgement = Pick<FeedbackLabel, 'label' | 'weight'>

/** The label that each kind gives its own answer, and the other one. */
const judgements: Readonly<Record<FeedbackKind, { own: Judgement; other: Judgement | null }>> = {
  up: { own: { label: 1, weight: 1 }, other: null },
  down: { own: { label: 0, weight: 1 }, other: null },
  valid: { own: { label: 0.75, weight: 0.3 }, other: null },
  invalid: { own: { label: 0, weight: 0.3 }, other: null },
  copied: { own: { label: 0.8, weight: 0.2 }, other: null },
  regenerated: { own: { label: 0, weight: 0.7 }, other: { label: 1, weight: 0.7 } },
  preferred: { own: { label: 1, weight: 1 }, other: { label: 0, weight: 1 } },
}

type FeedbackFunctions = Pick<
  Dashboard,
  'giveFeedback' | 'withdrawFeedback' | 'thumbs' | 'forgetFeedback'
>

export function createFeedback(options: DashboardOptions): FeedbackFunctions {
  const { ledger, feedback, judgedPrompts, now } = options

  /** The fields of a label that come from the ledger. */
  async function answerOf(requestId: string, field: 'requestId' | 'otherRequestId') {
    const found = await ledger.get(requestId)
    if (!found) throw new DashboardError('not_found', `There is no request ${requestId}.`, field)
    const modelId = found.record.modelUsed
    if (modelId === null) {
      throw new DashboardError('invalid', `No model answered the request ${requestId}.`, field)
    }
    const reading = found.detail.decision.reading
    const difficulty = reading?.difficulty ?? unreadDifficulty
    return { requestId, modelId, shares: topicShares(reading?.topics ?? []), difficulty }
  }

  async function labelsOf(given: Feedback): Promise<[FeedbackLabel, ...FeedbackLabel[]]> {
    const { own, other } = judgements[given.kind]
    const atMs = now()
    const answer = await answerOf(given.requestId, 'requestId')
    const first = { ...answer, ...own, atMs }
    if (other === null || !('otherRequestId' in given)) return [first]
    const otherAnswer = await answerOf(given.otherRequestId, 'otherRequestId')
    if (otherAnswer.modelId === answer.modelId) {
      const message = `Both answers come from ${answer.modelId}, so there is nothing to compare.`
      throw new DashboardError('invalid', message, 'otherRequestId')
    }
    return [first, { ...otherAnswer, ...other, atMs }]
  }

  return {
    async giveFeedback(input) {
      const given = parseInput(feedbackSchema, input)
      const labels = await labelsOf(given)
      await feedback.give({ requestId: given.requestId, aspect: aspects[given.kind] }, labels)
      return lessonOf(feedback, labels)
    },
    async withdrawFeedback(input) {
      const { requestId, kind } = parseInput(feedbackNameSchema, input)
      if (await feedback.withdraw({ requestId, aspect: aspects[kind] })) return
      const message = `The request ${requestId} has no such rating.`
      throw new DashboardError('not_found', message, 'requestId')
    },
    async thumbs(requestIds) {
      const given = await feedback.given(aspects.up, requestIds)
      return Object.fromEntries(
        given.map(({ requestId, label }) => [
          requestId,
          label === judgements.up.own.label ? 'up' : 'down',
        ]),
      )
    },
    async forgetFeedback(modelId) {
      const hadFeedback = await feedback.forget(modelId)
      const hadJudged = await judgedPrompts.forgetModel(modelId)
      if (hadFeedback || hadJudged) return
      throw new DashboardError('not_found', `There is no feedback on ${modelId}.`, 'modelId')
    },
  }
}
