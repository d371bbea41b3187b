/** Reads data URLs as the media that Converse takes, with AWS's names for their formats. */
import type {
  AudioFormat,
  DocumentFormat,
  ImageFormat,
  VideoFormat,
} from '@aws-sdk/client-bedrock-runtime'
import { readDataUrl } from '../../data-url.ts'

/** `bytes` is base64. */
export type Medium =
  | { kind: 'image'; format: ImageFormat; bytes: string }
  | { kind: 'document'; format: DocumentFormat; bytes: string }
  | { kind: 'audio'; format: AudioFormat; bytes: string }
  | { kind: 'video'; format: VideoFormat; bytes: string }

const images = table<ImageFormat>({
  png: 'image/png',
  jpeg: 'image/jpeg image/jpg',
  gif: 'image/gif',
  webp: 'image/webp',
})
const documents = table<DocumentFormat>({
  pdf: 'application/pdf',
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  html: 'text/html',
  md: 'text/markdown',
  txt: 'text/plain application/json application/xml application/yaml',
})
const audios = table<AudioFormat>({
  mp3: 'audio/mp3 audio/mpeg',
  wav: 'audio/wav audio/x-wav',
  aac: 'audio/aac',
  flac: 'audio/flac',
  m4a: 'audio/m4a audio/x-m4a',
  mp4: 'audio/mp4',
  ogg: 'audio/ogg',
  opus: 'audio/opus',
  webm: 'audio/webm',
})
const videos = table<VideoFormat>({
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
  webm: 'video/webm',
  flv: 'video/x-flv',
  mpeg: 'video/mpeg',
  wmv: 'video/x-ms-wmv',
  three_gp: 'video/3gpp',
})

/** @param types  media types by format, separated by spaces */
function table<Format extends string>(
  types: Readonly<Partial<Record<Format, string>>>,
): ReadonlyMap<string, Format> {
  // The keys of the object are formats, which its type says and Object.entries does not.
  const entries = Object.entries(types) as [Format, string][]
  return new Map(
    entries.flatMap(([format, names]) =>
      names.split(' ').map((name): [string, Format] => [name, format]),
    ),
  )
}

/** @returns null for an address and for a type that Converse does not take */
export function readMedium(url: string, filename: string | null = null): Medium | null {
  const inline = readDataUrl(url)
  if (inline === null) return null
  const { mediaType, data: bytes } = inline
  const image = images.get(mediaType)
  if (image !== undefined) return { kind: 'image', format: image, bytes }
  const format = documents.get(mediaType) ?? documentByName(mediaType, filename)
  if (format !== null) return { kind: 'document', format, bytes }
  const audio = audios.get(mediaType)
  if (audio !== undefined) return { kind: 'audio', format: audio, bytes }
  const video = videos.get(mediaType)
  return video === undefined ? null : { kind: 'video', format: video, bytes }
}

const documentFormats: ReadonlySet<string> = new Set(documents.values())

/** The document format by file name, for types such as `text/x-python` and for files sent without a type. */
function documentByName(mediaType: string, filename: string | null): DocumentFormat | null {
  const isUntyped = mediaType === '' || mediaType === 'application/octet-stream'
  const ending = filename?.split('.').at(-1)?.toLowerCase() ?? ''
  // The set has exactly the formats.
  if (isUntyped && documentFormats.has(ending)) return ending as DocumentFormat
  return mediaType.startsWith('text/') ? 'txt' : null
}
