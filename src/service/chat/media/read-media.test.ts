/** Sizes that are read from the bytes of data URLs, and what cannot be read. */
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import { readMedia } from './read-media.ts'

type Part = Exclude<ChatRequest['messages'][number]['content'], string | null | undefined>[number]

const read = (...parts: Part[]) => readMedia({ messages: [{ role: 'user', content: parts }] })
const dataUrl = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`
const imagePart = (type: string, bytes: Buffer) => ({
  type: 'image_url' as const,
  image_url: { url: dataUrl(type, bytes) },
})
const filePart = (type: string, bytes: Buffer) => ({
  type: 'file' as const,
  file: { file_data: dataUrl(type, bytes), filename: 'a' },
})

function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40)
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

/** A JPEG with a profile of 70,000 bytes before the frame, as cameras write it. */
function jpeg(width: number, height: number): Buffer {
  const segment = (marker: number, length: number) => {
    const bytes = Buffer.alloc(2 + length)
    bytes.writeUInt16BE(marker)
    bytes.writeUInt16BE(length, 2)
    return bytes
  }
  const frame = segment(0xffc2, 17)
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const start = Buffer.from([0xff, 0xd8])
  return Buffer.concat([start, segment(0xffe1, 60_000), segment(0xffc4, 10_000), frame])
}

function gif(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40)
  bytes.write('GIF89a', 'latin1')
  bytes.writeUInt16LE(width, 6)
  bytes.writeUInt16LE(height, 8)
  return bytes
}

function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40)
  bytes.write(`RIFF\0\0\0\0WEBP${kind}`, 'latin1')
  if (kind === 'VP8 ') {
    bytes.writeUInt16LE(width, 26)
    bytes.writeUInt16LE(height, 28)
  } else if (kind === 'VP8L') {
    bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21)
  } else {
    bytes.writeUIntLE(width - 1, 24, 3)
    bytes.writeUIntLE(height - 1, 27, 3)
  }
  return bytes
}

describe('an image', () => {
  test.each([
    ['PNG', png(1_920, 1_080)],
    ['JPEG', jpeg(1_920, 1_080)],
    ['GIF', gif(1_920, 1_080)],
    ['WebP', webp('VP8 ', 1_920, 1_080)],
    ['lossless WebP', webp('VP8L', 1_920, 1_080)],
    ['extended WebP', webp('VP8X', 1_920, 1_080)],
  ])('as %s has its width and height', (_format, bytes) => {
    expect(read(imagePart('image/png', bytes))).toEqual([
      { kind: 'image', size: { width: 1_920, height: 1_080 }, detail: 'auto' },
    ])
  })

  test.each<[string, Part]>([
    ['at an address', { type: 'image_url', image_url: { url: 'https://a.example/cat.png' } }],
    ['without an address', { type: 'image_url' }],
    ['of another format', imagePart('image/avif', Buffer.alloc(100))],
    ['cut off', imagePart('image/png', png(1, 1).subarray(0, 10))],
    ['of no size', imagePart('image/png', png(0, 10))],
    ['with a broken segment', imagePart('image/jpeg', jpeg(9, 9).subarray(0, 50))],
  ])('%s has an unknown size', (_what, part) => {
    expect(read(part)).toEqual([{ kind: 'image', size: null, detail: 'auto' }])
  })

  test('keeps its detail, and is also one as a file', () => {
    const { image_url } = imagePart('image/png', png(8, 9))
    const low = { type: 'image_url' as const, image_url: { ...image_url, detail: 'low' } }

    expect(read(low, filePart('image/png', png(8, 9)))).toEqual([
      { kind: 'image', size: { width: 8, height: 9 }, detail: 'low' },
      { kind: 'image', size: { width: 8, height: 9 }, detail: 'auto' },
    ])
  })
})

const page = '1 0 obj << /Type /Page /Parent 2 0 R >> endobj\n'
const root = '2 0 obj << /Type /Pages /Count 3 >> endobj\n<</Type/Page/Tabs/S>>\n'

describe('a PDF', () => {
  const pagesOf = (...parts: (string | Buffer)[]) => {
    const [document] = read(
      filePart('application/pdf', Buffer.concat(parts.map((one) => Buffer.from(one)))),
    )
    return document?.kind === 'document' ? document.pages : undefined
  }

  test('has as many pages as page objects', () => {
    expect(pagesOf('%PDF-1.4\n', page, page, root)).toBe(3)
  })

  test('has as many pages as a linearised one states', () => {
    expect(pagesOf('%PDF-1.6\n1 0 obj <</Linearized 1/L 9/O 2/E 9/N 42/T 9>> endobj')).toBe(42)
  })

  test('has the pages of its compressed objects', () => {
    const objects = deflateSync(page + page)

    expect(
      pagesOf(
        '%PDF-1.7\n<< /Type /ObjStm /N 2 >> stream\r\n',
        objects,
        '\nendstream\n',
        '<</Type/ObjStm>>\nstream\n',
        objects,
        '\nendstream',
      ),
    ).toBe(4)
  })

  test('whose objects cannot be inflated has an unknown number', () => {
    expect(pagesOf('%PDF-1.7\n<< /Type /ObjStm >> stream\nencrypted')).toBeNull()
  })

  test('that inflates to more than four megabytes has an unknown number', () => {
    const bomb = deflateSync(Buffer.alloc(8_000_000))
    const stream = ['<< /Type /ObjStm >> stream\n', bomb, '\nendstream\n']

    expect(pagesOf('%PDF-1.7\n', ...Array.from({ length: 9 }, () => stream).flat())).toBeNull()
  })

  test('at an address, or uploaded before, has neither pages nor bytes', () => {
    const unknown = { kind: 'document', pages: null, bytes: null }
    const at = (file: object): Part => ({ type: 'file', file })

    expect(read(at({ file_url: 'https://a.example/a.pdf' }), at({ file_id: 'file-1' }))).toEqual([
      unknown,
      unknown,
    ])
  })
})

describe('a recording', () => {
  const soundPart = (bytes: Buffer): Part => ({
    type: 'input_audio',
    input_audio: { data: bytes.toString('base64'), format: 'wav' },
  })
  const wav = Buffer.alloc(44 + 64_000)
  wav.write('RIFF\0\0\0\0WAVEfmt \x10\0\0\0', 'latin1')
  wav.writeUInt32LE(32_000, 28)
  const mp3 = Buffer.alloc(16_000 + 20)
  mp3.write('ID3\x04\0\0\0\0\0\x0a', 'latin1')
  // MPEG 1, layer III, 128 kbit/s, 44.1 kHz.
  mp3.writeUInt32BE(0xfffb9000, 20)

  test.each([
    ['WAV', wav, 2],
    ['MP3', mp3, 1],
  ])('as %s has its seconds', (_format, bytes, seconds) => {
    const [sound] = read(soundPart(bytes))

    expect(sound?.kind).toBe('audio')
    expect(sound?.kind === 'audio' && sound.seconds).toBeCloseTo(seconds, 2)
  })

  test('of another format has its bytes', () => {
    expect(read(soundPart(Buffer.alloc(300)))).toEqual([
      { kind: 'audio', seconds: null, bytes: 300 },
    ])
  })
})

test('a file of text counts its characters', () => {
  expect(read(filePart('text/csv', Buffer.from('a,b\n1,2')))).toEqual([
    { kind: 'text', characters: 7 },
  ])
})

test('text has no media', () => {
  expect(read({ type: 'text', text: 'Hi' })).toEqual([])
})
