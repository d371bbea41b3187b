/** The parts of a message as Converse's content blocks. Converse takes every medium as bytes, never as an address. */
import type { ChatMessage, WireFields } from '../../../../shared/chat/chat.ts'
import { ProviderError } from '../../../providers/provider.ts'
import type { CachePoint, ContentBlock } from './converse.ts'
import type { DocumentNames } from './document-names.ts'
import { fieldsOf, stringOf } from '../../../json-fields.ts'
import { readMedium, type Medium } from './media.ts'

export interface ContentContext {
  names: DocumentNames
  /** The cache point for a part, a message or a tool with a mark; null without one. */
  cachePointOf: (carrier: WireFields) => CachePoint | null
}

/** @param path  the place of the content in the request, for errors */
export function contentBlocks(
  content: ChatMessage['content'],
  path: string,
  context: ContentContext,
): ContentBlock[] {
  if (typeof content === 'string') return textBlocks(content)
  return (content ?? []).flatMap((part, place): ContentBlock[] => {
    const block = blockOf(part, `${path}[${place}]`, context)
    const mark = block === null ? null : context.cachePointOf(part)
    if (block === null) return []
    return mark === null ? [block] : [block, mark]
  })
}

/** A text block; none for a blank text, which Converse refuses. */
export function textBlocks(text: string): { text: string }[] {
  return text.trim() === '' ? [] : [{ text }]
}

function blockOf(part: WireFields, path: string, context: ContentContext): ContentBlock | null {
  switch (part['type']) {
    case 'text':
      return textBlocks(stringOf(part['text']) ?? '')[0] ?? null
    case 'refusal':
      return textBlocks(stringOf(part['refusal']) ?? '')[0] ?? null
    case 'image_url':
      return imageBlock(part, path)
    case 'input_audio':
      return audioBlock(fieldsOf(part['input_audio']), path)
    case 'file':
      return fileBlock(fieldsOf(part['file']), path, context.names)
    default:
      throw cannotCarry(`${path}.type`, 'Bedrock takes no parts of this type')
  }
}

/** OpenAI's form of an image, as an object or as the bare address. */
function imageBlock(part: WireFields, path: string): ContentBlock {
  const image = part['image_url']
  const url = stringOf(image) ?? stringOf(fieldsOf(image)['url']) ?? ''
  const place = `${path}.image_url.url`
  const medium = readMedium(url)
  if (medium === null) throw cannotCarry(place, 'Bedrock takes images as base64 data URLs only')
  if (medium.kind === 'image') return mediumBlock(medium)
  throw cannotCarry(place, 'Bedrock takes images as PNG, JPEG, GIF or WebP')
}

function audioBlock({ data, format }: WireFields, path: string): ContentBlock {
  const medium = readMedium(`data:audio/${stringOf(format) ?? ''};base64,${stringOf(data) ?? ''}`)
  if (medium?.kind === 'audio') return mediumBlock(medium)
  throw cannotCarry(`${path}.input_audio.format`, 'Bedrock does not take audio of this format')
}

function fileBlock(file: WireFields, path: string, names: DocumentNames): ContentBlock {
  const data = stringOf(file['file_data'])
  if (data === null) {
    const field = file['file_url'] === undefined ? 'file_id' : 'file_url'
    throw cannotCarry(`${path}.file.${field}`, 'Bedrock takes files as file_data only')
  }
  const filename = stringOf(file['filename'])
  const medium = readMedium(data, filename)
  if (medium === null) {
    throw cannotCarry(`${path}.file.file_data`, 'Bedrock does not take files of this type')
  }
  if (medium.kind !== 'document') return mediumBlock(medium)
  const { format, bytes } = medium
  const citations = fieldsOf(file['citations'])['enabled']
  const isCited = typeof citations === 'boolean' ? { citations: { enabled: citations } } : {}
  return { document: { format, name: names.next(filename), source: { bytes }, ...isCited } }
}

function mediumBlock(medium: Exclude<Medium, { kind: 'document' }>): ContentBlock {
  const source = { bytes: medium.bytes }
  switch (medium.kind) {
    case 'image':
      return { image: { format: medium.format, source } }
    case 'audio':
      return { audio: { format: medium.format, source } }
    default:
      return { video: { format: medium.format, source } }
  }
}

/** The reason is for the caller; it names the field and never quotes it. */
export function cannotCarry(path: string, reason: string): ProviderError {
  const message = `the provider cannot take ${path}`
  return new ProviderError('request', message, { upstreamMessage: `${path}: ${reason}.` })
}
