/** Each vendor's rule, against the examples of its documentation and bills that users measured. */
import { describe, expect, test } from 'vitest'
import { mediaTokens, type ImageDetail, type Media } from './media-tokens.ts'

const image = (width: number, height: number, detail: ImageDetail = 'auto'): Media => ({
  kind: 'image',
  size: { width, height },
  detail,
})
const unknownImage: Media = { kind: 'image', size: null, detail: 'auto' }
const expected = (model: string, media: Media) => mediaTokens(model, [media]).expected

describe('an image', () => {
  test.each<[string, Media, number]>([
    // developers.openai.com/api/docs/guides/images-vision
    ['openai:gpt-4o', image(1_024, 1_024), 765],
    ['openai:gpt-4o', image(2_048, 4_096), 1_105],
    ['openai:gpt-4o', image(4_096, 8_192, 'low'), 85],
    ['openai:gpt-4.1', image(128, 64), 255],
    ['openai:gpt-4o-mini-2024-07-18', image(128, 64), 8_500],
    ['openai:gpt-5', image(1_024, 1_024), 630],
    ['openai:o3', image(1_024, 1_024), 675],
    ['openai:gpt-4.1-mini', image(1_024, 1_024), 1_659],
    ['openai:gpt-4.1-mini', image(1_800, 2_400), 2_353],
    ['openai:o4-mini', image(128, 64), 14],
    // Bills that users measured in June and October 2026.
    ['openai:gpt-5-mini', image(2_048, 768), 1_844],
    ['openai:gpt-5.5', image(1_280, 720), 1_104],
    ['openai:gpt-5.5', image(4_032, 3_024), 11_868],
    ['openai:gpt-6-astra', image(3_840, 2_160), 9_792],
    ['openai:gpt-6-astra', image(3_840, 2_160, 'high'), 2_931],
    ['openai:gpt-6-astra', image(4_032, 3_024, 'high'), 2_942],
    // platform.claude.com/docs/en/build-with-claude/vision, and bills
    ['anthropic:claude-haiku-4-5', image(1_024, 1_024), 1_369],
    ['anthropic:claude-haiku-4-5', image(1_280, 720), 1_196],
    ['anthropic:claude-haiku-4-5', image(8_000, 8_000), 1_521],
    ['anthropic:claude-opus-4-8', image(1_920, 1_080), 2_691],
    ['openrouter:anthropic/claude-sonnet-5.5', image(1_920, 1_080), 2_691],
    ['bedrock:us.anthropic.claude-sonnet-4-5-v1:0', image(256, 256), 100],
    // ai.google.dev/gemini-api/docs/tokens
    ['google:gemini-2.5-flash', image(384, 384), 258],
    ['google:gemini-2.5-flash', image(960, 540), 1_548],
    ['google:gemini-3.8-flash', image(4_032, 3_024), 1_090],
    ['mistral:mistral-large-latest', image(1_540, 1_540), 3_080],
    ['ollama:qwen3-vl:8b', image(1_024, 1_024), 1_024],
    ['xai:grok-4', image(896, 448), 768],
    ['groq:meta-llama/llama-4-scout', image(336, 336), 144],
    ['lmstudio:unknown-vision', image(280, 280), 100],
  ])('at %s, %j has %i tokens', (model, media, tokens) => {
    expect(expected(model, media)).toBe(tokens)
  })

  test('of an unknown size is a usual one, and at most the largest that the vendor takes', () => {
    expect(mediaTokens('openai:gpt-4o', [unknownImage])).toEqual({
      least: 0,
      expected: 765,
      most: 1_445,
    })
    expect(mediaTokens('anthropic:claude-opus-5', [unknownImage]).most).toBe(4_784)
  })

  test('that the documentation and bills count differently has the larger count at the most', () => {
    const { expected: billed, most } = mediaTokens('openai:gpt-5-mini', [image(1_024, 1_024)])

    expect(billed).toBe(1_229)
    expect(most).toBeGreaterThanOrEqual(1_659)
  })
})

describe('a document', () => {
  const pages = (count: number): Media => ({ kind: 'document', pages: count, bytes: 1_000 })

  test.each<[string, number, number, number]>([
    // Bills of a text page: 2,100 and 2,330; of a scanned one: 1,600.
    ['anthropic:claude-opus-5-5', 14_000, 23_000, 46_000],
    ['google:gemini-2.5-pro', 2_580, 2_580, 11_200],
    ['google:gemini-3.8-flash', 5_000, 5_600, 11_200],
    ['openai:gpt-4o', 1_000, 17_050, 44_450],
  ])('of ten pages at %s has %i to %i to %i tokens', (model, least, usual, most) => {
    expect(mediaTokens(model, [pages(10)])).toEqual({ least, expected: usual, most })
  })

  test('without a page count is guessed at by its size', () => {
    const media: Media = { kind: 'document', pages: null, bytes: 750_000 }

    expect(mediaTokens('google:gemini-2.5-pro', [media])).toMatchObject({ expected: 2_580 })
    expect(mediaTokens('google:gemini-2.5-pro', [media]).most).toBe(500 * 1_120)
  })

  test('that is elsewhere has a usual number of pages, and any number at most', () => {
    const media: Media = { kind: 'document', pages: null, bytes: null }

    expect(mediaTokens('google:gemini-2.5-pro', [media])).toEqual({
      least: 258,
      expected: 2_580,
      most: Infinity,
    })
  })
})

test.each<[string, Media, number]>([
  ['openai:gpt-audio', { kind: 'audio', seconds: 30, bytes: 1 }, 300],
  ['google:gemini-3.8-flash', { kind: 'audio', seconds: 30, bytes: 1 }, 960],
  ['mistral:voxtral-small', { kind: 'audio', seconds: 30, bytes: 1 }, 375],
  ['google:gemini-2.5-flash', { kind: 'audio', seconds: null, bytes: 160_000 }, 320],
  ['google:gemini-2.5-flash', { kind: 'video', seconds: 10, bytes: 1 }, 2_630],
])('sound and pictures at %s: %j have %i tokens', (model, media, tokens) => {
  expect(expected(model, media)).toBe(tokens)
})

test('several are added', () => {
  const two = [image(1_024, 1_024), image(1_024, 1_024)]

  expect(mediaTokens('openai:gpt-4o', two).expected).toBe(2 * 765)
})
