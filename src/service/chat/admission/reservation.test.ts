import { expect, test } from 'vitest'
import { candidate } from '../../../../test/routing/sample-candidates.ts'
import { nothingLater, type BilledLater } from './billed-later.ts'
import { costFactorsOf, fund, type CostFactors } from './reservation.ts'

/** 1,000 and 2,000 nano-dollars per token; the prompt is reserved as 157 tokens: 157,000. */
const plain = candidate()
const prompt = { promptTokens: 100 }
const factors = (over: Partial<CostFactors> = {}): CostFactors => ({
  prompt,
  outputTokens: null,
  choices: 1,
  later: nothingLater,
  ...over,
})

function tier(fromPromptTokens: number) {
  return { fromPromptTokens, inputUsdPerMtok: 5, outputUsdPerMtok: 7 }
}

test('reads the properties that determine the cost from the body', () => {
  const body = { messages: [], max_tokens: 10, max_completion_tokens: 20, n: 3 }
  expect(costFactorsOf({ body }, prompt)).toMatchObject({ prompt, outputTokens: 20, choices: 3 })
  const bestOf = { messages: [], best_of: 5, n: 2 }
  expect(costFactorsOf({ body: bestOf }, prompt)).toMatchObject({ outputTokens: null, choices: 5 })
})

test.each<[string, Partial<BilledLater>, number]>([
  ['the whole context for what the vendor has stored', { unread: 'prompt' }, 20_000_000 + 100_000],
  ['each reading of the prompt and its answer', { readings: 3 }, 3 * 257_000],
  ['the fees of tools', { feesNanoUsd: 5_000 }, 262_000],
  ['the prices of the United States', { isInUs: true }, 282_700],
  ['the text as it is sent', { textTokens: 1_000 }, 1_282_000 + 100_000],
])('reserves %s', (_what, later, nanoUsd) => {
  const asked = factors({ outputTokens: 50, later: { ...nothingLater, ...later } })
  const within = candidate({ contextTokens: 20_000 })

  expect(fund(within, asked, 1e12)).toMatchObject({ isFunded: true, nanoUsd })
})

test('an answer is limited by all that it may cost', () => {
  const later = { ...nothingLater, readings: 2, feesNanoUsd: 1_000, isInUs: true }
  const funding = fund(candidate({ maxOutputTokens: 128_000 }), factors({ later }), 3_000_000)

  expect(funding).toMatchObject({ isFunded: true })
  expect(funding.nanoUsd).toBeLessThanOrEqual(3_000_000)
})

test('nothing bounds what the vendor has stored where the context is unknown', () => {
  const later = { ...nothingLater, unread: 'previous_response_id' }
  const unknown = candidate({ contextTokens: null })

  for (const outputTokens of [null, 50]) {
    expect(fund(unknown, factors({ later, outputTokens }), 1e15)).toEqual({
      isFunded: false,
      nanoUsd: Infinity,
    })
  }
})

test.each([
  ['the caller’s limit', factors({ outputTokens: 50 }), {}, 157_000 + 100_000],
  ['the model’s maximum below it', factors({ outputTokens: 9_000 }), {}, 157_000 + 8_000_000],
  ['for each choice', factors({ outputTokens: 50, choices: 4 }), {}, 157_000 + 400_000],
  ['the model’s longest answer', factors(), {}, 157_000 + 8_000_000],
  [
    'what the context leaves after the shortest count of the prompt',
    factors(),
    { contextTokens: 1_045 },
    157_000 + 2_000_000,
  ],
  [
    'what the context leaves where the longest is unknown',
    factors(),
    { maxOutputTokens: null },
    157_000 + 15_910_000,
  ],
  [
    'the most expensive input class',
    factors({ outputTokens: 1 }),
    { price: { inputUsdPerMtok: 1, outputUsdPerMtok: 2, cacheWriteUsdPerMtok: 1.25 } },
    196_250 + 2_000,
  ],
  [
    'a long prompt’s price where the prompt may count as one',
    factors({ outputTokens: 1 }),
    { price: { ...plain.price, tiers: [tier(157)] } },
    157 * 5_000 + 7_000,
  ],
  [
    'the base price where it may not',
    factors({ outputTokens: 1 }),
    { price: { ...plain.price, tiers: [tier(158)] } },
    157_000 + 2_000,
  ],
])('reserves %s', (_what, asked, over, nanoUsd) => {
  expect(fund(candidate(over), asked, 1e9)).toEqual({ isFunded: true, nanoUsd, outputTokens: null })
})

test('reserves the most that an image of an unknown size can have', () => {
  const image = { kind: 'image', size: null, detail: 'auto' } as const
  const claude = candidate({ modelId: 'p:claude-opus-5', contextTokens: 100_000 })
  const asked = factors({ prompt: { promptTokens: 100, media: [image] }, outputTokens: 1 })

  expect(fund(claude, asked, 1e9)).toMatchObject({ nanoUsd: 157_000 + 4_784_000 + 2_000 })
})

test('reserves no more than the context for a document of an unknown length', () => {
  const document = { kind: 'document', pages: null, bytes: null } as const
  const claude = candidate({ modelId: 'p:claude-opus-5', contextTokens: 30_000 })
  const asked = factors({ prompt: { promptTokens: 100, media: [document] }, outputTokens: 1 })

  expect(fund(claude, asked, 1e9)).toMatchObject({ nanoUsd: 157_000 + 30_000_000 + 2_000 })
})

test('reserves up to the last nano-dollar and no more', () => {
  const asked = factors({ outputTokens: 50 })

  expect(fund(plain, asked, 257_000)).toMatchObject({ isFunded: true })
  expect(fund(plain, asked, 256_999)).toEqual({ isFunded: false, nanoUsd: 257_000 })
})

test.each([
  ['an eighth of what is left', 157_000 + 80_000_000, 5_000],
  ['4,096 tokens while there is as much', 157_000 + 8_192_000, 4_096],
  ['all that is left of less', 157_000 + 4_000_000, 2_000],
  ['no less than 256 tokens', 157_000 + 512_000, 256],
])('limits an answer without a caller’s limit to %s', (_what, leftNanoUsd, outputTokens) => {
  const large = candidate({ contextTokens: null, maxOutputTokens: 128_000 })

  expect(fund(large, factors(), leftNanoUsd)).toEqual({
    isFunded: true,
    nanoUsd: 157_000 + outputTokens * 2_000,
    outputTokens,
  })
})

test('states the required budget when fewer than 256 tokens fit', () => {
  expect(fund(plain, factors(), 157_000 + 511_999)).toEqual({
    isFunded: false,
    nanoUsd: 157_000 + 512_000,
  })
  expect(fund(plain, factors(), 0)).toMatchObject({ isFunded: false })
  expect(fund(plain, factors(), -5_000)).toMatchObject({ isFunded: false })
})

test('a model with short answers is not limited further', () => {
  const short = candidate({ maxOutputTokens: 100 })

  expect(fund(short, factors(), 357_000)).toEqual({
    isFunded: true,
    nanoUsd: 357_000,
    outputTokens: null,
  })
  expect(fund(short, factors(), 356_999)).toEqual({ isFunded: false, nanoUsd: 357_000 })
})

test('limits a model whose longest answer is unknown', () => {
  const unknown = candidate({ contextTokens: null, maxOutputTokens: null })

  expect(fund(unknown, factors(), 1e12)).toMatchObject({ isFunded: true, outputTokens: 4_096 })
})

test.each([-1, 0, 1e9])('allows a free model with %i left', (leftNanoUsd) => {
  const price = { inputUsdPerMtok: 0, outputUsdPerMtok: 0 }
  const unknown = candidate({ price, contextTokens: null, maxOutputTokens: null })

  for (const free of [candidate({ price }), unknown]) {
    expect(fund(free, factors(), leftNanoUsd)).toEqual({
      isFunded: true,
      nanoUsd: 0,
      outputTokens: null,
    })
  }
})

test.each([1, 3, 7, 333_333, 1e9 + 1, 1e15])(
  'never sets aside more than %i nano-dollars when so much is left',
  (leftNanoUsd) => {
    const prices = [0.000001, 0.15, 1 / 3, 7.77, 1_000_000]
    const over = prices.flatMap((inputUsdPerMtok) =>
      prices.flatMap((outputUsdPerMtok) => {
        const dear = candidate({ price: { inputUsdPerMtok, outputUsdPerMtok } })
        const funding = fund(
          dear,
          factors({ prompt: { promptTokens: 3 }, choices: 3 }),
          leftNanoUsd,
        )
        return funding.isFunded && funding.nanoUsd > leftNanoUsd ? [funding] : []
      }),
    )

    expect(over).toEqual([])
  },
)
