import { expect, test } from 'vitest'
import { openStatistics, sampleAnswer } from '../../../../test/sample-answer.ts'
import { topicNames, type Topic } from '../../../shared/routers/topics.ts'
import type { RouterFigures } from '../../storage/model-statistics.ts'
import type { AnswerSample } from './model-statistics.ts'

/** Lehmer's generator: the same random values in every run, 0 to 1. */
function lehmerRandom(): () => number {
  let state = 1
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

test('a thousand answers of all kinds give the same figures, to the last digit', () => {
  let nowMs = 1_000_000
  const statistics = openStatistics(() => nowMs)
  const random = lehmerRandom()
  const below = (limit: number) => Math.floor(random() * limit)
  for (let nth = 0; nth < 1_000; nth += 1) {
    nowMs += below(5_000)
    const firstTokenMs = random() * 2_000
    const sureness = below(1_000) / 1_000
    const answer = sampleAnswer({
      isStreamed: random() < 0.5,
      firstTokenMs,
      totalMs: firstTokenMs + random() * 10_000,
      uncachedTokens: below(8_000),
      writtenTokens: below(800),
      outputTokens: below(1_000),
      isCutOff: random() < 0.1,
      teachesLength: true,
      reading:
        random() < 0.3
          ? null
          : {
              ...lawOrTrivia(sureness),
              confidence: sureness,
              difficulty: -1,
              difficultyReasons: [],
            },
    })
    statistics.answered(answer)
    const timeout = { candidate: answer.candidate, routerId: 'r', isCold: false, tookMs: 30_000 }
    if (random() < 0.05) statistics.timedOut({ ...timeout, isStreamed: random() < 0.5 })
  }

  const learnt = statistics.models.takeChanged()[0]?.figures
  expect(learnt?.latencies).toEqual({
    stream: {
      answers: 533,
      atMs: 3_484_169,
      deviation: 1.3056894845970974,
      fast: {
        lnFirstToken: 0.6192746258266446,
        lnPerToken: 0.24870781643904785,
        share: 0.9859722247358198,
      },
      greatestShare: 0.9865672424201797,
      slow: {
        lnFirstToken: 0.7466621507590889,
        lnPerToken: 0.2101283397307233,
        share: 0.9889799938096493,
      },
    },
    whole: {
      answers: 516,
      atMs: 3_495_438,
      deviation: 1.548371979980578,
      fast: {
        lnFirstToken: 0.28422012598601665,
        lnPerToken: 0.2842201259860169,
        share: 0.972285386220559,
      },
      greatestShare: 0.9848398800718284,
      slow: {
        lnFirstToken: 0.28870733664541937,
        lnPerToken: 0.28870733664541953,
        share: 0.9876529538522845,
      },
    },
  })
  expect(learnt?.prompts).toEqual({
    weight: 49.99806942766861,
    tokens: 205803.11048399104,
    firstTokenMs: 47468.155200689354,
    squaredTokens: 1127491032.5772321,
    tokensByMs: 198751213.18526727,
  })
  const router = statistics.routers.takeChanged()[0]?.figures
  expect(lengthOf(router, 'law')).toEqual([-0.2514427050348017, 876.0685709184673])
  expect(lengthOf(router, 'trivia')).toEqual([-0.5069796682757259, 708.0069494319014])
  expect(lengthOf(router, 'physics')).toEqual([-0.48213436365740475, 305.46838137642453])
  expect(router?.answers).toBe(958)
  expect(router?.lnLonger).toBe(0.42507819645772443)
  expect(learnt?.verbosity).toEqual({
    lnSum: -10.754925106606375,
    answers: 198.35736394902077,
    lnP90: 1.0614274798454097,
  })
})

function lawOrTrivia(
  ofLaw: number,
): Pick<NonNullable<AnswerSample['reading']>, 'domains' | 'topics'> {
  const ofTrivia = (1 - ofLaw) / 2
  return {
    domains: [],
    topics: [
      ['law', ofLaw],
      ['trivia', ofTrivia],
    ],
  }
}

/** How much longer its answers are than the default, as a logarithm, and the number of answers it was learned from. */
function lengthOf(learnt: RouterFigures | undefined, topic: Topic) {
  const place = topicNames.indexOf(topic)
  return [learnt?.topics.lnLonger[place], learnt?.topics.answers[place]]
}
