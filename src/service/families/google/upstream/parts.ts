/** The parts of messages as Gemini's parts. */
import type { ChatMessage, WireFields } from '../../../../shared/chat/chat.ts'
import { ProviderError } from '../../../providers/provider.ts'
import { readDataUrl } from '../../data-url.ts'
import { fieldsOf, stringOf } from '../../../json-fields.ts'
import type { GeminiPart } from './rest.ts'

/** Empty texts are left out, because the API refuses them. @throws ProviderError request */
export function partsOf(content: ChatMessage['content']): GeminiPart[] {
  if (typeof content === 'string') return textParts(content)
  return (content ?? []).flatMap(partOf)
}

export function textParts(text: string): GeminiPart[] {
  return text === '' ? [] : [{ text }]
}

/** The texts of a message, for roles that take nothing else. */
export function textsOf(content: ChatMessage['content']): string[] {
  return partsOf(content).flatMap(({ text }) => text ?? [])
}

function partOf(part: WireFields): GeminiPart[] {
  switch (part['type']) {
    case 'text':
      return textParts(stringOf(part['text']) ?? '')
    case 'refusal':
      return textParts(stringOf(part['refusal']) ?? '')
    case 'image_url':
      return [imagePart(part['image_url'])]
    case 'input_audio':
      return [audioPart(fieldsOf(part['input_audio']))]
    case 'file':
      return [filePart(fieldsOf(part['file']))]
    default:
      throw refused('the provider does not take a part of this type')
  }
}

/** OpenAI's form of an image, as an object or as the bare address. */
function imagePart(image: unknown): GeminiPart {
  const url = stringOf(image) ?? stringOf(fieldsOf(image)['url'])
  if (url === null) throw refused('an image needs a URL')
  return urlPart(url, 'image/jpeg')
}

/** Google's names for OpenAI's `wav` and `mp3`; other formats have the same name. */
function audioPart(audio: WireFields): GeminiPart {
  const data = stringOf(audio['data'])
  const format = stringOf(audio['format'])
  if (data === null || format === null) throw refused('audio needs data and a format')
  return { inlineData: { mimeType: `audio/${format}`, data } }
}

function filePart(file: WireFields): GeminiPart {
  const data = stringOf(file['file_data'])
  if (data?.startsWith('data:')) return urlPart(data, 'application/pdf')
  const name = stringOf(file['filename']) ?? ''
  if (data !== null)
    return { inlineData: { mimeType: mediaTypeOf(name) ?? 'application/pdf', data } }
  const url = stringOf(file['file_url']) ?? googleFile(stringOf(file['file_id']))
  if (url === null) throw refused('a file needs file_data, file_url or the id of a file at Google')
  return urlPart(url, mediaTypeOf(name) ?? 'application/pdf')
}

/** The id of an uploaded file is the end of its address; ids of other vendors mean nothing to Google. */
function googleFile(id: string | null): string | null {
  if (id?.startsWith('https://')) return id
  return id?.startsWith('files/') ? `https://generativelanguage.googleapis.com/v1beta/${id}` : null
}

/** @param assumed  the media type of an address that does not show it */
function urlPart(url: string, assumed: string): GeminiPart {
  const inline = readDataUrl(url)
  if (inline === null) return { fileData: { fileUri: url, mimeType: mediaTypeOf(url) ?? assumed } }
  return { inlineData: { mimeType: inline.mediaType || assumed, data: inline.data } }
}

const mediaTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  gif: 'image/gif',
  heic: 'image/heic',
  heif: 'image/heif',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  mov: 'video/quicktime',
  mp3: 'audio/mp3',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
}
const video = /^https:\/\/(www\.youtube\.com\/watch|youtu\.be\/)/

/** Media type by the ending of a name or an address; null for an unknown one. */
function mediaTypeOf(address: string): string | null {
  if (video.test(address)) return 'video/mp4'
  const [path = ''] = address.split(/[?#]/, 1)
  return mediaTypes[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? null
}

function refused(message: string): ProviderError {
  return new ProviderError('request', message)
}
