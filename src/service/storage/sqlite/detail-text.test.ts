/** What is kept of a decision: all of it, in little room, and what older versions kept as well. */
import { expect, test } from 'vitest'
import { sampleDetail } from '../../../../test/storage/samples.ts'
import { sampleEstimate } from '../../routing/sample-candidates.ts'
import { detailFromText, detailToText } from './detail-text.ts'

const detail = sampleDetail({
  decision: {
    ...sampleDetail().decision,
    ranked: Array.from({ length: 12 }, (_, position) => ({
      model: `openai:gpt-5.4-nano-${position}`,
      position,
      reason: null,
      estimate: sampleEstimate({ quality: 0.8 + position / 1e4, costNanoUsd: 123_456 + position }),
    })),
    excluded: [
      {
        model: 'groq:llama',
        position: 12,
        code: 'lacks_capability',
        reason: 'does not take tools',
        estimate: sampleEstimate({ carbonMethod: 'unknown', latencySource: 'learned' }),
      },
    ],
  },
})

test('what is read is what was written', () => {
  expect(detailFromText(detailToText(detail))).toEqual(detail)
})

test('a decision between twelve models takes 2 kB at the most', () => {
  expect(JSON.stringify(JSON.parse(detailToText(detail)).decision).length).toBeLessThan(2_048)
})

test('a row of a version without estimates is read', () => {
  const old = {
    ...detail,
    decision: {
      strategy: 'cost_optimized',
      promptTokens: 12,
      needs: [],
      ranked: [{ model: 'openai:gpt-5', reason: 'expected to cost $0.001' }],
      excluded: [{ model: 'p:m', code: 'lacks_capability', reason: 'does not take tools' }],
    },
  }

  expect(detailFromText(JSON.stringify(old)).decision).toMatchObject({
    ranked: [{ model: 'openai:gpt-5', reason: 'expected to cost $0.001', estimate: null }],
    excluded: [{ estimate: null }],
    parameters: null,
    adjusted: [],
  })
})
