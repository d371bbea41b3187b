/** Content blocks in Anthropic's form as the inner form's parts. */
import type { WireFields } from '../../../../shared/chat/chat.ts'
import { fieldsOf, listOf, stringOf } from '../../../json-fields.ts'
import { shown, textPart, type Part } from '../../inner-parts.ts'
import type { LeftOut } from '../../left-out.ts'
import { markOf } from './read-tools.ts'

export function readParts(content: string | readonly WireFields[], leftOut: LeftOut): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [textPart(content)]
  return content.flatMap((block) => {
    const parts = partsOf(block, leftOut)
    const last = parts.at(-1)
    if (last !== undefined) Object.assign(last, markOf(block['cache_control']))
    return parts
  })
}

function partsOf(block: WireFields, leftOut: LeftOut): Part[] {
  switch (block['type']) {
    case 'text': {
      const text = stringOf(block['text'])
      return text === null ? [] : [textPart(text)]
    }
    case 'image':
      return [imagePart(fieldsOf(block['source']))]
    case 'document':
      return documentParts(block, leftOut)
    case 'search_result': {
      const { title, source, content } = block
      const texts = listOf(content).map((inner) => stringOf(fieldsOf(inner)['text']) ?? '')
      return [textPart([title, source, ...texts].filter(Boolean).join('\n'))]
    }
    case 'tool_reference':
      return [textPart(`The tool ${String(block['tool_name'])} is available.`)]
    default:
      leftOut.leave(
        'messages',
        `other providers take no blocks of the type ${shown(block['type'])}`,
      )
      return []
  }
}

function imagePart(source: WireFields): Part {
  const { type, media_type, data, url, file_id } = source
  if (type === 'file') return { type: 'file', file: { file_id } }
  const address = type === 'base64' ? `data:${String(media_type)};base64,${String(data)}` : url
  return { type: 'image_url', image_url: { url: address } }
}

function documentParts({ source, title, citations }: WireFields, leftOut: LeftOut): Part[] {
  const { type, media_type, data, url, file_id, content } = fieldsOf(source)
  const name = stringOf(title)
  if (type === 'text') return [textPart([name, data].filter(Boolean).join('\n'))]
  if (type === 'content') {
    const inner = typeof content === 'string' ? content : listOf(content).map(fieldsOf)
    return readParts(inner, leftOut)
  }
  const place =
    type === 'base64'
      ? { file_data: `data:${String(media_type)};base64,${String(data)}` }
      : type === 'url'
        ? { file_url: url }
        : { file_id }
  const filename = name ?? (type === 'base64' ? 'document.pdf' : null)
  const { enabled } = fieldsOf(citations)
  return [
    {
      type: 'file',
      file: {
        ...place,
        ...(filename === null ? {} : { filename }),
        ...(enabled === true ? { citations: { enabled } } : {}),
      },
    },
  ]
}
