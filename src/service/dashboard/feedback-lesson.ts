/** What a person's judgements say of a model, in counts that a person understands. */
import { domainNames, type Domain } from '../../shared/app/domains.ts'
import type { Lesson } from '../../shared/chat/feedback.ts'
import { domainOfTopic } from '../../shared/routers/topics.ts'
import type { FeedbackLabel, FeedbackStore, JudgedAnswer } from '../storage/feedback-store.ts'

/** The judged answers to prompts of the kind that was just judged, of its model or of the better one of two. */
export async function lessonOf(
  feedback: Pick<FeedbackStore, 'judged'>,
  [own, other = own]: readonly [FeedbackLabel, ...FeedbackLabel[]],
): Promise<Lesson> {
  const { modelId, shares } = other.label > own.label ? other : own
  const domain = domainOf(shares)
  // Of two judgements of one answer, the newer counts.
  const known = new Map<string, JudgedAnswer>()
  for (const one of (await feedback.judged(modelId)).toReversed()) known.set(one.requestId, one)
  const alike = [...known.values()].filter((one) => domainOf(one.shares) === domain)
  const good = alike.filter(({ label }) => label > 0.5).length
  return { modelId, domain, judged: alike.length, good }
}

/** The most likely kind of a prompt. */
function domainOf(shares: readonly number[]): Domain {
  const sums = domainNames.map((_domain, index) =>
    shares.reduce((sum, share, topic) => sum + (domainOfTopic[topic] === index ? share : 0), 0),
  )
  return domainNames[sums.indexOf(Math.max(...sums))] ?? 'other'
}
