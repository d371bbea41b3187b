import { expect, test } from 'vitest'
import { openStatistics, sampleAnswer } from '../../../../test/sample-answer.ts'
import { topicNames, type Topic } from '../../../shared/topics.ts'
import type { ModelFigures } from '../../storage/model-statistics.ts'
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
    const timeout = { candidate: answer.candidate, isCold: false, tookMs: 30_000 }
    if (random() < 0.05) statistics.timedOut({ ...timeout, isStreamed: random() < 0.5 })
  }

  const learnt = statistics.takeChanged()[0]?.figures
  expect(learnt?.latencies).toEqual({
    stream: {
      atMs: 3_484_169,
      lnFirstTokenMs: 6.825195678970931,
      lnMsPerToken: 2.5473914655443712,
      deviation: 1.304328233194623,
      share: 0.9859722247358198,
    },
    whole: {
      atMs: 3_495_438,
      lnFirstTokenMs: 6.503481183445191,
      lnMsPerToken: 2.5914581780170445,
      deviation: 1.5579249426738406,
      share: 0.972285386220559,
    },
  })
  expect(learnt?.prompts).toEqual({
    weight: 49.99806942766861,
    tokens: 205803.11048399104,
    firstTokenMs: 47468.155200689354,
    squaredTokens: 1127491032.5772321,
    tokensByMs: 198751213.18526727,
  })
  expect(lengthOf(learnt, 'law')).toEqual([5.939486957156402, 874.7800600288404])
  expect(lengthOf(learnt, 'trivia')).toEqual([5.3690457787620955, 707.0069494319013])
  expect(lengthOf(learnt, 'physics')).toEqual([5.434568012932778, 306.3525843600987])
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

/** The logarithm of its tokens, and the number of answers it was learned from. */
function lengthOf(learnt: ModelFigures | undefined, topic: Topic) {
  const place = topicNames.indexOf(topic)
  return [learnt?.lengths?.lnTokens[place], learnt?.lengths?.answers[place]]
}
