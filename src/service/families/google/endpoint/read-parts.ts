/** Gemini's parts as the inner form's parts. */
import type { WireFields } from '../../../../shared/chat/chat.ts'
import { stringOf } from '../../../json-fields.ts'
import type { Part } from '../../inner-parts.ts'
import type { LeftOut } from '../../left-out.ts'
import { geminiFields } from './fields.ts'

/** @param part  a part that is no call, no result and no thought */
export function readPart(part: WireFields, leftOut: LeftOut): Part[] {
  const { text, inlineData, fileData } = part
  if (typeof text === 'string') return text === '' ? [] : [{ type: 'text', text }]
  if (inlineData !== undefined) return [inlinePart(geminiFields(inlineData))]
  if (fileData !== undefined) return [filePart(geminiFields(fileData))]
  const [name = ''] = Object.keys(part).filter((each) => each !== 'thoughtSignature')
  if (name === '') return []
  const shown = /^[a-zA-Z]{1,40}$/.test(name) ? name : 'that was sent'
  leftOut.leave('contents', `other providers take no parts of the type ${shown}`)
  return []
}

/** Whether a model of another vendor could not fetch the file. */
export function isGooglesFile(part: WireFields): boolean {
  const uri = stringOf(geminiFields(part['fileData'])['fileUri'])
  return uri !== null && (!uri.startsWith('https://') || googlesAddress.test(uri))
}

const googlesAddress =
  /^https:\/\/(generativelanguage\.googleapis\.com|www\.youtube\.com|youtu\.be)\//

function inlinePart({ mimeType, data, displayName }: WireFields): Part {
  const type = stringOf(mimeType) ?? ''
  const base64 = stringOf(data) ?? ''
  if (type.startsWith('text/')) {
    return { type: 'text', text: Buffer.from(base64, 'base64').toString('utf8') }
  }
  if (type.startsWith('audio/')) {
    const format = type.slice('audio/'.length)
    return { type: 'input_audio', input_audio: { data: base64, format: audioName(format) } }
  }
  const url = `data:${type};base64,${base64}`
  if (type.startsWith('image/')) return { type: 'image_url', image_url: { url } }
  const filename = stringOf(displayName) ?? `file.${type.split('/').at(-1)}`
  return { type: 'file', file: { file_data: url, filename } }
}

/** OpenAI's names for the two kinds of audio that it takes. */
function audioName(format: string): string {
  if (format === 'mpeg') return 'mp3'
  return format === 'x-wav' || format === 'wave' ? 'wav' : format
}

function filePart({ mimeType, fileUri, displayName }: WireFields): Part {
  const uri = stringOf(fileUri) ?? ''
  if (stringOf(mimeType)?.startsWith('image/') === true) {
    return { type: 'image_url', image_url: { url: uri } }
  }
  const filename = stringOf(displayName)
  return { type: 'file', file: { file_url: uri, ...(filename === null ? {} : { filename }) } }
}
