/**
 * The images, documents, audio and video of a request, as far as their tokens depend on them. Sizes are read from the
 * first bytes of data URLs; what is at an address is not fetched, so its size is not known.
 */
import type { ChatRequest, WireFields } from '../../../shared/chat/chat.ts'
import type { PixelSize } from '../../catalog/image-grid.ts'
import type { ImageDetail, Media } from '../../catalog/media-tokens.ts'
import { fieldsOf } from '../../json-fields.ts'
import { readSeconds } from './audio-seconds.ts'
import { readImageSize } from './image-size.ts'
import { countPages, type InflateBudget } from './pdf-pages.ts'

/** Base64 characters in which an image's size is searched: a JPEG's profile and preview may come before it. */
const imageCharacters = [4_096, 262_144]
const soundCharacters = 65_536
/** Most characters of a PDF that are read; a longer one is estimated by its size. */
const documentCharacters = 11_000_000
const inflatedBytes = 4_194_304

const noMedia: readonly Media[] = []
const known = new WeakMap<ChatRequest['messages'], readonly Media[]>()

/** Read once for each list of messages. */
export function readMedia({ messages }: Pick<ChatRequest, 'messages'>): readonly Media[] {
  const before = known.get(messages)
  if (before !== undefined) return before
  const media: Media[] = []
  const budget = { left: inflatedBytes }
  for (const { content } of messages) {
    if (!Array.isArray(content)) continue
    for (const part of content) {
      if (part.type === 'text') continue
      const one = mediaOf(part, budget)
      if (one !== null) media.push(one)
    }
  }
  if (media.length === 0) return noMedia
  known.set(messages, media)
  return media
}

function mediaOf(part: WireFields, budget: InflateBudget): Media | null {
  switch (part['type']) {
    case 'image_url':
      return imageOf(part['image_url'])
    case 'input_audio':
      return soundOf('audio', textOf(fieldsOf(part['input_audio'])['data']))
    case 'audio_url':
      return soundOf('audio', dataOf(urlOf(part['audio_url'])).data)
    case 'video_url':
      return soundOf('video', dataOf(urlOf(part['video_url'])).data)
    case 'document_url':
      return documentOf(urlOf(part['document_url']), budget)
    case 'file':
      return fileOf(fieldsOf(part['file']), budget)
    default:
      return null
  }
}

function imageOf(value: unknown): Media {
  const { data } = dataOf(urlOf(value))
  return { kind: 'image', size: sizeOf(data), detail: detailOf(value) }
}

function sizeOf(data: string): PixelSize | null {
  for (const characters of imageCharacters) {
    const size = readImageSize(Buffer.from(data.slice(0, characters), 'base64'))
    if (size !== null || data.length <= characters) return size
  }
  return null
}

function detailOf(value: unknown): ImageDetail {
  const { detail } = fieldsOf(value)
  return detail === 'low' || detail === 'high' ? detail : 'auto'
}

/** @param data  base64; empty when it is elsewhere */
function soundOf(kind: 'audio' | 'video', data: string): Media {
  if (data === '') return { kind, seconds: null, bytes: null }
  const bytes = Buffer.byteLength(data, 'base64')
  const beginning = Buffer.from(data.slice(0, soundCharacters), 'base64')
  return { kind, seconds: kind === 'audio' ? readSeconds(beginning, bytes) : null, bytes }
}

function fileOf(file: WireFields, budget: InflateBudget): Media {
  const url = textOf(file['file_data']) || textOf(file['file_url'])
  const { mediaType, data } = dataOf(url)
  if (mediaType.startsWith('image/')) return imageOf(url)
  if (mediaType.startsWith('audio/')) return soundOf('audio', data)
  if (mediaType.startsWith('video/')) return soundOf('video', data)
  if (mediaType.startsWith('text/'))
    return { kind: 'text', characters: Buffer.byteLength(data, 'base64') }
  return documentOf(url, budget)
}

function documentOf(url: string, budget: InflateBudget): Media {
  const { data } = dataOf(url)
  if (data === '') return { kind: 'document', pages: null, bytes: null }
  const bytes = Buffer.byteLength(data, 'base64')
  if (data.length > documentCharacters) return { kind: 'document', pages: null, bytes }
  return { kind: 'document', pages: countPages(Buffer.from(data, 'base64'), budget), bytes }
}

interface InlineData {
  mediaType: string
  /** Base64; empty for an address. */
  data: string
}

/** The data of a file, also as base64 without a data URL. Only the header is searched: the data may be megabytes. */
function dataOf(url: string): InlineData {
  if (!url.startsWith('data:')) return { mediaType: '', data: isAddress(url) ? '' : url }
  const comma = url.indexOf(',')
  const [mediaType = ''] = url.slice('data:'.length, Math.max(comma, 0)).split(';')
  return { mediaType: mediaType.toLowerCase(), data: comma === -1 ? '' : url.slice(comma + 1) }
}

function isAddress(url: string): boolean {
  return /^[a-z][a-z0-9+.-]{0,20}:/i.test(url)
}

/** A text, or an object with a `url`. */
function urlOf(value: unknown): string {
  return textOf(value) || textOf(fieldsOf(value)['url'])
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
