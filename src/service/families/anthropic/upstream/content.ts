/** The parts of messages as Anthropic's content blocks. */
import type {
  CacheControlEphemeral,
  DocumentBlockParam,
  ImageBlockParam,
  TextBlockParam,
} from '@anthropic-ai/sdk/resources/messages'
import type { ChatMessage, WireFields } from '../../../../shared/chat/chat.ts'
import { ProviderError } from '../../../providers/provider.ts'
import { readDataUrl, type InlineData } from '../../data-url.ts'
import { fieldsOf, stringOf } from '../../../json-fields.ts'

/** The blocks that a user's turn and a tool's result may both contain. */
export type InputBlock = TextBlockParam | ImageBlockParam | DocumentBlockParam

/** Blocks with the marks of their parts. Texts without a visible character are left out, because the API refuses them. */
export function inputBlocks(content: ChatMessage['content']): InputBlock[] {
  if (typeof content === 'string') return textBlocks(content)
  return (content ?? []).flatMap((part) => withMark(blocksOf(part), part))
}

/** The texts of a message, for roles that take nothing else. */
export function textOnly(content: ChatMessage['content']): TextBlockParam[] {
  return inputBlocks(content).filter((block) => block.type === 'text')
}

export function textBlocks(text: string): TextBlockParam[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }]
}

/** The caller's cache mark on a part, a message or a tool; null without one. */
export function markOf(carrier: WireFields): CacheControlEphemeral | null {
  const mark = fieldsOf(carrier['cache_control'])
  if (mark['type'] !== 'ephemeral') return null
  const ttl = mark['ttl']
  return ttl === '1h' || ttl === '5m' ? { type: 'ephemeral', ttl } : { type: 'ephemeral' }
}

/** Marks the last block if the carrier has a mark. */
export function withMark<Block extends { cache_control?: CacheControlEphemeral | null }>(
  blocks: Block[],
  carrier: WireFields,
): Block[] {
  const mark = markOf(carrier)
  const last = blocks.at(-1)
  if (mark !== null && last !== undefined) last.cache_control = mark
  return blocks
}

function blocksOf(part: WireFields): InputBlock[] {
  switch (part['type']) {
    case 'text':
      return textBlocks(stringOf(part['text']) ?? '')
    case 'refusal':
      return textBlocks(stringOf(part['refusal']) ?? '')
    case 'image_url':
      return [imageBlock(part)]
    case 'file':
      return [documentBlock(part)]
    default:
      throw new ProviderError(
        'request',
        `the provider takes no parts of the type ${shown(part['type'])}`,
      )
  }
}

/** OpenAI's form of an image, as an object or as the bare address. */
function imageBlock(part: WireFields): ImageBlockParam {
  const image = part['image_url']
  const url = stringOf(image) ?? stringOf(fieldsOf(image)['url']) ?? ''
  const inline = readDataUrl(url)
  if (inline === null) return { type: 'image', source: { type: 'url', url } }
  return { type: 'image', source: base64Image(inline) }
}

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const

function base64Image({
  mediaType,
  data,
}: InlineData): Extract<ImageBlockParam['source'], { type: 'base64' }> {
  const type = mediaType === 'image/jpg' ? 'image/jpeg' : mediaType
  const media_type = imageTypes.find((known) => known === type)
  if (media_type === undefined) {
    throw new ProviderError('request', 'the provider takes images as JPEG, PNG, GIF or WebP')
  }
  return { type: 'base64', media_type, data }
}

function documentBlock(part: WireFields): DocumentBlockParam | ImageBlockParam {
  const file = fieldsOf(part['file'])
  const inline = readDataUrl(stringOf(file['file_data']) ?? '')
  if (inline?.mediaType.startsWith('image/')) {
    return { type: 'image', source: base64Image(inline) }
  }
  const title = stringOf(file['filename'])
  const citations = fieldsOf(file['citations'])['enabled']
  return {
    type: 'document',
    source: inline === null ? referredSource(file) : inlineSource(inline),
    ...(title === null ? {} : { title }),
    ...(typeof citations === 'boolean' ? { citations: { enabled: citations } } : {}),
  }
}

function inlineSource({ mediaType, data }: InlineData): DocumentBlockParam['source'] {
  if (mediaType === 'application/pdf')
    return { type: 'base64', media_type: 'application/pdf', data }
  if (mediaType.startsWith('text/') || mediaType === 'application/json') {
    const text = Buffer.from(data, 'base64').toString()
    return { type: 'text', media_type: 'text/plain', data: text }
  }
  throw new ProviderError('request', 'the provider takes documents as PDF or text')
}

function referredSource(file: WireFields): DocumentBlockParam['source'] {
  const url = stringOf(file['file_url'])
  if (url !== null) return { type: 'url', url }
  const file_id = stringOf(file['file_id'])
  if (file_id !== null) return { type: 'file', file_id }
  throw new ProviderError(
    'request',
    'a file part needs file_data as a data URL, file_url or file_id',
  )
}

/** The type if it looks like one: anything else may quote the prompt. */
function shown(type: unknown): string {
  return typeof type === 'string' && /^[a-z_]{1,40}$/.test(type) ? `"${type}"` : 'it was sent'
}
