/** Parts of content in the form of the Responses API as the inner form's parts. */
import type { WireFields } from '../../../../shared/chat/chat.ts'
import { fieldsOf, stringOf, textOrNull } from '../../../json-fields.ts'
import { shown, textPart, type Part } from '../../inner-parts.ts'
import type { LeftOut } from '../../left-out.ts'

/** @param content  a text, or a list of parts */
export function readParts(content: unknown, leftOut: LeftOut): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [textPart(content)]
  return Array.isArray(content) ? content.flatMap((part) => partsOf(fieldsOf(part), leftOut)) : []
}

/** The text of parts that are all texts; null when there is another part. */
export function onlyText(parts: readonly Part[], separator: string): string | null {
  const texts = parts.map(({ type, text }) => (type === 'text' ? textOrNull(text) : null))
  return texts.includes(null) ? null : texts.join(separator)
}

function partsOf(part: WireFields, leftOut: LeftOut): Part[] {
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'refusal': {
      const text = stringOf(part['text'] ?? part['refusal'])
      return text === null ? [] : [textPart(text)]
    }
    case 'input_image':
      return [imagePart(part)]
    case 'input_file':
      return [filePart(part)]
    case 'input_audio':
      return [{ type: 'input_audio', input_audio: part['input_audio'] }]
    default:
      leftOut.leave('input', `other providers take no parts of the type ${shown(part['type'])}`)
      return []
  }
}

function imagePart({ image_url: url, file_id, detail }: WireFields): Part {
  if (stringOf(url) === null) return { type: 'file', file: { file_id } }
  // The chat form has no `original`.
  const level = detail === 'original' ? 'high' : stringOf(detail)
  return { type: 'image_url', image_url: { url, ...(level === null ? {} : { detail: level }) } }
}

function filePart({ filename, file_data, file_url, file_id }: WireFields): Part {
  const given = Object.entries({ filename, file_data, file_url, file_id })
  return {
    type: 'file',
    file: Object.fromEntries(given.filter(([, value]) => typeof value === 'string')),
  }
}
