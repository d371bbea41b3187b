/** The width and height of an image, from its first bytes and without decoding it. */
import type { PixelSize } from '../../catalog/image-grid.ts'

/** @returns null for another format, and when the beginning does not reach as far as the size */
export function readImageSize(bytes: Buffer): PixelSize | null {
  if (bytes.length < 30) return null
  if (bytes.readUInt32BE(0) === 0x89504e47)
    return sized(bytes.readUInt32BE(16), bytes.readUInt32BE(20))
  if (bytes.toString('latin1', 0, 4) === 'GIF8')
    return sized(bytes.readUInt16LE(6), bytes.readUInt16LE(8))
  if (bytes.readUInt16BE(0) === 0xffd8) return readJpeg(bytes)
  const isWebp =
    bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  return isWebp ? readWebp(bytes) : null
}

function sized(width: number, height: number): PixelSize | null {
  return width > 0 && height > 0 ? { width, height } : null
}

/** Goes from segment to segment up to the frame; a profile or a preview may come first. */
function readJpeg(bytes: Buffer): PixelSize | null {
  let at = 2
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    if (isFrame(marker)) return sized(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
    // Some writers fill up with 0xff.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

/** The markers of frames, without those of tables between them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function readWebp(bytes: Buffer): PixelSize | null {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return sized(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return sized((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
    }
    case 'VP8X':
      return sized(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
    default:
      return null
  }
}
