/** What a file that a person attaches is: its kind by its bytes, and its text. It runs in a worker, because the bytes are foreign. */
import type { Attachment } from '../../../shared/chat/attachments.ts'
import { readOffice } from './read-office.ts'

export type ReadFile = Pick<Attachment, 'kind' | 'mediaType' | 'pages'> & {
  /** The text of a text file, a document, a workbook or a PDF's text layer; null for an image. */
  text: string | null
  /** Whether a PDF has text in fonts that cannot be read here: `text` lacks it. */
  lacksText?: boolean
}

const imageTypes = [
  { type: 'image/png', magic: [0x89, 0x50, 0x4e, 0x47] },
  { type: 'image/jpeg', magic: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', magic: [0x47, 0x49, 0x46, 0x38] },
  { type: 'image/webp', magic: [0x52, 0x49, 0x46, 0x46] },
]

const pdfType = 'application/pdf'

/** The type of an image or a PDF by its first bytes; null for anything else. */
export function mediaTypeOf(bytes: Uint8Array): string | null {
  const image = imageTypes.find(({ magic }) => magic.every((byte, at) => bytes[at] === byte))
  // A RIFF file may also be a sound.
  const isImage = image && (image.type !== 'image/webp' || latin(bytes, 8, 12) === 'WEBP')
  if (isImage) return image.type
  const at = latin(bytes, 0, 1_024).indexOf('%PDF-')
  // Some PDFs have bytes before it. A text that only names it has no bytes that a text lacks.
  return at === 0 || (at > 0 && bytes.some(isControl)) ? pdfType : null
}

/** @returns null for a kind that Modelport cannot read. @throws whatever a broken file makes its reader throw */
export async function readFile(bytes: Uint8Array): Promise<ReadFile | null> {
  const mediaType = mediaTypeOf(bytes)
  if (mediaType === pdfType) return readPdf(bytes)
  if (mediaType !== null) return { kind: 'image', mediaType, pages: null, text: null }
  if (latin(bytes, 0, 4) === 'PK\x03\x04') {
    const office = await readOffice(bytes)
    return office && { kind: 'text', pages: null, ...office }
  }
  const text = decode(bytes)
  return text === null ? null : { kind: 'text', mediaType: 'text/plain', pages: null, text }
}

async function readPdf(bytes: Uint8Array): Promise<ReadFile> {
  const { extractText, getDocumentProxy } = await import('unpdf')
  let lacksText = false
  // Chinese, Japanese and Korean fonts may need tables that are not shipped. Without them, their text is skipped.
  class NoTables {
    async fetch({ kind }: { kind: string }): Promise<never> {
      if (kind === 'cMapUrl') lacksText = true
      throw new Error('There are no such tables.')
    }
  }
  const document = await getDocumentProxy(bytes, { BinaryDataFactory: NoTables })
  const { totalPages, text } = await extractText(document, { mergePages: false })
  return {
    kind: 'pdf',
    mediaType: pdfType,
    pages: totalPages,
    text: text.join('\n\n').trim(),
    lacksText,
  }
}

function latin(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to))
}

/** UTF-8, UTF-16 with its mark, or the Windows code page that older spreadsheets write; null for other bytes. */
function decode(bytes: Uint8Array): string | null {
  const mark = latin(bytes, 0, 2)
  if (mark === '\xff\xfe') return new TextDecoder('utf-16le').decode(bytes)
  if (mark === '\xfe\xff') return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.some(isControl)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Of the control characters, a text has tabs, ends of lines and pages, and escapes. */
function isControl(byte: number): boolean {
  return byte < 32 && ![9, 10, 12, 13, 27].includes(byte)
}
