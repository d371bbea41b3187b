/**
 * The tokens of images, documents, audio and video, by the rule that the vendor of each model publishes. Where users
 * measured other figures than the documentation has, the measured ones are expected and the larger ones are the most.
 * Checked on 2026-11-23; docs/models.md has the table and its sources.
 */
import { grid, tiles, withinEdge, withinGrid, type PixelSize } from './image-grid.ts'

/** A part of a prompt that is not text. Fields are null when the request does not show them. */
export type Media =
  | { kind: 'image'; size: PixelSize | null; detail: ImageDetail }
  /** A file of plain text. */
  | { kind: 'text'; characters: number }
  | { kind: 'document'; pages: number | null; bytes: number | null }
  | { kind: 'audio' | 'video'; seconds: number | null; bytes: number | null }

/** OpenAI's field; the other vendors have one kind of image. */
export type ImageDetail = 'low' | 'high' | 'auto'

export interface TokenRange {
  least: number
  expected: number
  most: number
}

interface MediaRules {
  /** Matches the vendors' model names, in lower case. */
  names: RegExp
  image(size: PixelSize, detail: ImageDetail): number
  /** The most that an image can have. */
  mostPerImage: number
  /** The same for one that is somewhere else, where a vendor may find a video; absent: `mostPerImage`. */
  mostElsewhere?: number
  /** Absent: a page is an image of the page and its text. */
  page?: TokenRange
  audioPerSecond?: number
  videoPerSecond?: number
}

/** OpenAI's tiles: within 2,048 pixels, the shorter side at most 768, then 512-pixel tiles. */
function tiled(names: RegExp, base: number, perTile: number): MediaRules {
  return {
    names,
    image: (size, detail) => (detail === 'low' ? base : base + perTile * openAiTiles(size)),
    mostPerImage: base + perTile * 8,
    audioPerSecond: openAiAudio,
  }
}

function openAiTiles(size: PixelSize): number {
  const { width, height } = withinEdge(size, 2_048)
  const scale = Math.min(1, 768 / Math.min(width, height))
  return tiles({ width: width * scale, height: height * scale }, 512)
}

interface Patched {
  names: RegExp
  /** Most patches of an image, for `detail: auto` and `high`. */
  patches: { auto: number; high: number }
  perPatch: number
  /** The documentation's factor, where it is larger than the measured one. */
  mostPerPatch?: number
}

/** OpenAI's patches of 32 pixels: an image with more is scaled down to the limit. */
function patched({ names, patches, perPatch, mostPerPatch = perPatch }: Patched): MediaRules {
  return {
    names,
    image(size, detail) {
      const most = detail === 'low' ? 256 : patches[detail]
      return Math.ceil(withinGrid(size, 32, most) * perPatch)
    },
    mostPerImage: Math.ceil(patches.auto * mostPerPatch),
    audioPerSecond: openAiAudio,
  }
}

/** Claude's patches of 28 pixels, within an edge and a number. */
function claude(names: RegExp, edge: number, most: number): MediaRules {
  return {
    names,
    image(size) {
      const fitting = withinEdge(size, edge)
      return Math.min(most, withinGrid(fitting, 28, most))
    },
    mostPerImage: most,
    page: { least: 1_400, expected: 2_300, most: 4_600 },
  }
}

/** Patches within a number, as most open models have. */
function open(names: RegExp, pixels: number, most: number): MediaRules {
  return {
    names,
    image: (size) => Math.min(most, withinGrid(size, pixels, most)),
    mostPerImage: most,
  }
}

/** Gemini to 2.5: 258 for a small image, else for each tile of two thirds of the shorter side. */
function gemini2Image(size: PixelSize): number {
  const { width, height } = size
  if (width <= 384 && height <= 384) return 258
  const unit = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)))
  return Math.min(258 * 16, 258 * tiles(size, unit))
}

/** Tokens of an image at Pixtral and its successors, which have one at the end of each row. */
function mistralImage(size: PixelSize): number {
  const { columns, rows } = grid(withinEdge(size, 1_540), 28)
  return rows * (columns + 1)
}

/** Llama 4: 144 for each tile of 336 pixels, at most 16, and an overview where there are several. */
function llama4Image(size: PixelSize): number {
  const count = Math.min(16, tiles(size, 336))
  return 144 * (count === 1 ? 1 : count + 1)
}

const openAiAudio = 10

/** The first that matches. */
const families: readonly MediaRules[] = [
  claude(/claude-(opus-4[-.][7-9]|[a-z]+-[5-9])/, 2_576, 4_784),
  claude(/claude/, 1_568, 1_568),
  tiled(/gpt-4o-mini/, 2_833, 5_667),
  patched({ names: /gpt-4\.1-mini/, patches: { auto: 1_536, high: 1_536 }, perPatch: 1.62 }),
  patched({ names: /gpt-4\.1-nano/, patches: { auto: 1_536, high: 1_536 }, perPatch: 2.46 }),
  patched({ names: /o4-mini/, patches: { auto: 1_536, high: 1_536 }, perPatch: 1.72 }),
  patched({
    names: /gpt-5(\.[01])?-nano/,
    patches: { auto: 1_536, high: 1_536 },
    perPatch: 1.5,
    mostPerPatch: 2.46,
  }),
  patched({
    names: /gpt-5(\.[01])?-mini/,
    patches: { auto: 1_536, high: 1_536 },
    perPatch: 1.2,
    mostPerPatch: 1.62,
  }),
  patched({ names: /gpt-5\.[23]/, patches: { auto: 1_536, high: 1_536 }, perPatch: 1.2 }),
  patched({ names: /gpt-5\.4/, patches: { auto: 2_500, high: 2_500 }, perPatch: 1.2 }),
  patched({ names: /gpt-5\.[5-9]/, patches: { auto: 10_000, high: 2_500 }, perPatch: 1.2 }),
  patched({ names: /gpt-[6-9]/, patches: { auto: 36_000, high: 2_500 }, perPatch: 1.2 }),
  tiled(/gpt-5/, 70, 140),
  tiled(/(^|[/:.])o[13](-|$)/, 75, 150),
  tiled(/computer-use/, 65, 129),
  tiled(/gpt-4|chatgpt|gpt-audio/, 85, 170),
  {
    names: /gemini-(1|2)/,
    image: gemini2Image,
    mostPerImage: 258 * 16,
    mostElsewhere: Infinity,
    page: { least: 258, expected: 258, most: 1_120 },
    audioPerSecond: 32,
    videoPerSecond: 263,
  },
  {
    names: /gemini/,
    image: () => 1_090,
    mostPerImage: 1_120,
    mostElsewhere: Infinity,
    page: { least: 500, expected: 560, most: 1_120 },
    audioPerSecond: 32,
    videoPerSecond: 102,
  },
  { names: /gemma-?[12]|gemma-?3/, image: () => 256, mostPerImage: 1_280 },
  { names: /gemma/, image: () => 280, mostPerImage: 1_120 },
  open(/pixtral/, 16, 4_160),
  { ...open(/voxtral/, 28, 3_080), audioPerSecond: 12.5 },
  { names: /mistral|magistral|ministral|devstral/, image: mistralImage, mostPerImage: 3_080 },
  { ...open(/qwen-?2|qvq/, 28, 16_384), audioPerSecond: 25 },
  { ...open(/qwen/, 32, 16_384), audioPerSecond: 25 },
  {
    names: /grok/,
    image: (size) => 256 * (Math.min(6, tiles(size, 448)) + 1),
    mostPerImage: 1_792,
  },
  { names: /llama-?4/, image: llama4Image, mostPerImage: 144 * 17 },
  {
    names: /llama-?3/,
    image: (size) => 1_601 * Math.min(4, tiles(size, 560)),
    mostPerImage: 1_601 * 4,
  },
  open(/nova-/, 26, 5_000),
]

/** Rules for models without a published rule. */
const usual = { ...open(/^/, 28, 5_000), mostElsewhere: Infinity }

/** Assumed size of an image whose size is not known: one behind an address, or a page. */
const usualImage: PixelSize = { width: 1_024, height: 1_024 }
const pageImage: PixelSize = { width: 1_240, height: 1_754 }
const pageText = { least: 100, expected: 600, most: 3_000 }
const usualPages = 10
/** Assumed bytes of a PDF page, to estimate the number of pages. */
const bytesPerPage = 75_000
const leastBytesPerPage = 1_500

/** 128 kbit/s and 8 kbit/s; 2 Mbit/s and 200 kbit/s. */
const bytesPerSecond = { audio: 16_000, video: 250_000 }
const leastBytesPerSecond = { audio: 1_000, video: 25_000 }
const usualSeconds = 60
const usualPerSecond = { audio: 32, video: 263 }

/** The bounds of a prompt's own text. */
const perCharacter = { least: 0.45 / 3.6, expected: 1 / 3.6, most: 1.25 / 3.6 }

const counted = new WeakMap<readonly Media[], Map<string, TokenRange>>()

/**
 * The tokens of all media of a prompt at a model.
 * @param modelId  `<provider>:<model_name>`
 */
export function mediaTokens(modelId: string, media: readonly Media[]): TokenRange {
  let ofModels = counted.get(media)
  if (ofModels === undefined) counted.set(media, (ofModels = new Map<string, TokenRange>()))
  const known = ofModels.get(modelId)
  if (known !== undefined) return known
  const rules = rulesOf(modelId)
  const sum = { least: 0, expected: 0, most: 0 }
  for (const one of media) {
    const { least, expected, most } = tokensOf(one, rules)
    sum.least += least
    sum.expected += expected
    sum.most += most
  }
  ofModels.set(modelId, sum)
  return sum
}

function rulesOf(modelId: string): MediaRules {
  const name = modelId.slice(modelId.indexOf(':') + 1).toLowerCase()
  return families.find(({ names }) => names.test(name)) ?? usual
}

function tokensOf(media: Media, rules: MediaRules): TokenRange {
  switch (media.kind) {
    case 'image':
      return imageTokens(media, rules)
    case 'document':
      return documentTokens(media, rules)
    case 'text':
      return times(perCharacter, always(media.characters))
    default:
      return soundTokens(media, rules)
  }
}

/** The formula is exact as a rule; a tenth more or less is the vendor's rounding and its marks around an image. */
function imageTokens(
  { size, detail }: Extract<Media, { kind: 'image' }>,
  { image, mostPerImage, mostElsewhere = mostPerImage }: MediaRules,
): TokenRange {
  const expected = image(size ?? usualImage, detail)
  if (size === null) return { least: 0, expected, most: mostElsewhere }
  const most = Math.max(expected, Math.min(Math.ceil(expected * 1.4), mostPerImage))
  return { least: Math.floor(expected * 0.7), expected, most }
}

function documentTokens(
  { pages, bytes }: Extract<Media, { kind: 'document' }>,
  rules: MediaRules,
): TokenRange {
  const perPage = rules.page ?? pageTokens(rules)
  if (pages !== null) return times(perPage, always(pages))
  if (bytes === null) return times(perPage, { least: 1, expected: usualPages, most: Infinity })
  return times(perPage, {
    least: 1,
    expected: Math.max(1, Math.round(bytes / bytesPerPage)),
    most: Math.min(1_000, Math.max(1, Math.ceil(bytes / leastBytesPerPage))),
  })
}

function pageTokens({ image, mostPerImage }: MediaRules): TokenRange {
  const expected = image(pageImage, 'high') + pageText.expected
  return { least: pageText.least, expected, most: mostPerImage + pageText.most }
}

function soundTokens(
  { kind, seconds, bytes }: Extract<Media, { kind: 'audio' | 'video' }>,
  { audioPerSecond = usualPerSecond.audio, videoPerSecond = usualPerSecond.video }: MediaRules,
): TokenRange {
  const perSecond = kind === 'audio' ? audioPerSecond : videoPerSecond
  const rate = { least: perSecond / 2, expected: perSecond, most: perSecond * 2 }
  if (seconds !== null) return times(rate, always(seconds))
  if (bytes === null) return times(rate, { least: 0, expected: usualSeconds, most: Infinity })
  const most = bytes / leastBytesPerSecond[kind]
  return times(rate, { least: 0, expected: bytes / bytesPerSecond[kind], most })
}

function always(count: number): TokenRange {
  return { least: count, expected: count, most: count }
}

function times(one: TokenRange, count: TokenRange): TokenRange {
  return {
    least: Math.floor(one.least * count.least),
    expected: Math.round(one.expected * count.expected),
    most: Math.ceil(one.most * count.most),
  }
}
