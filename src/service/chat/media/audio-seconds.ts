/** How long a recording is, from its first bytes and its length. */

/** @param length  of the whole recording, in bytes. @returns null for another format than WAV and MP3 */
export function readSeconds(bytes: Buffer, length: number): number | null {
  if (bytes.length < 44) return null
  const isWav =
    bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WAVE'
  return isWav ? wavSeconds(bytes, length) : mp3Seconds(bytes, length)
}

function wavSeconds(bytes: Buffer, length: number): number | null {
  const format = bytes.indexOf('fmt ', 12, 'latin1')
  if (format === -1 || format + 20 > bytes.length) return null
  const bytesPerSecond = bytes.readUInt32LE(format + 16)
  return bytesPerSecond === 0 ? null : (length - 44) / bytesPerSecond
}

/** Layer III, in kbit/s. */
const bitrates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}

/** Seconds of an MP3, as if all frames had the bit rate of the first one. */
function mp3Seconds(bytes: Buffer, length: number): number | null {
  const start = bytes.toString('latin1', 0, 3) === 'ID3' ? 10 + tagLength(bytes) : 0
  if (start + 4 > bytes.length) return null
  const header = bytes.readUInt32BE(start)
  const isLayer3 = header >>> 21 === 0x7ff && ((header >>> 17) & 3) === 1
  if (!isLayer3) return null
  const version = ((header >>> 19) & 3) === 3 ? 1 : 2
  const kilobits = bitrates[version][(header >>> 12) & 15] ?? 0
  return kilobits === 0 ? null : ((length - start) * 8) / (kilobits * 1_000)
}

/** Four times seven bits. */
function tagLength(bytes: Buffer): number {
  return [6, 7, 8, 9].reduce((sum, at) => (sum << 7) | ((bytes[at] ?? 0) & 0x7f), 0)
}
