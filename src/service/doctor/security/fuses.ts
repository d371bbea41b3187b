/**
 * Electron's fuses, read from the running binary. They are bytes after a marker: the version, the count, and one
 * character per fuse.
 * @see https://www.electronjs.org/docs/latest/tutorial/fuses
 */
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fuses from '../../../../resources/fuses.json' with { type: 'json' }
import type { SecurityCheck } from '../../../shared/app/security-check.ts'

const marker = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX')
const pieceBytes = 4 * 1024 * 1024

/** @param binary  null outside the packaged app */
export async function checkFuses(binary: string | null): Promise<SecurityCheck> {
  const check = 'Fuses'
  const tried = 'switches in the program file'
  if (binary === null) {
    return { check, tried, seen: 'this is not the packaged app', status: 'not_applicable' }
  }
  const wire = await readFuses(binary)
  if (wire === null) return { check, tried, seen: 'the file has no fuses', status: 'failed' }
  const wrong = wrongFuses(wire)
  const seen = wrong.length === 0 ? 'all as configured' : `not as configured: ${wrong.join(', ')}`
  return { check, tried, seen, status: wrong.length === 0 ? 'ok' : 'failed' }
}

/** @param wire  one character per fuse */
function wrongFuses(wire: string): string[] {
  const configured = fuses.filter(({ isInFallback = true }, index) => isInFallback || wire[index])
  const wrong = configured.filter(({ isOn }, index) => wire[index] !== (isOn ? '1' : '0'))
  const unknown = wire.length - configured.length
  return [
    ...wrong.map(({ name }) => name),
    ...(unknown > 0 ? [`${unknown} that Modelport does not know`] : []),
  ]
}

/** The file with the fuses of the running packaged app; null for every other program. */
export function packagedBinary(): string | null {
  // Electron adds this property to Node's `process`.
  const resources: unknown = Reflect.get(process, 'resourcesPath')
  if (typeof resources !== 'string' || !existsSync(join(resources, 'app.asar'))) return null
  if (process.platform !== 'darwin') return process.execPath
  const frameworks = join(dirname(process.execPath), '..', 'Frameworks')
  return join(frameworks, 'Electron Framework.framework', 'Electron Framework')
}

/** One character per fuse; null when the file has no marker. */
async function readFuses(binary: string): Promise<string | null> {
  const file = await open(binary)
  try {
    // Pieces overlap, so that the marker and the fuses are whole in one of them.
    const overlap = marker.length + 64
    const piece = Buffer.alloc(pieceBytes + overlap)
    for (let position = 0; ; position += pieceBytes) {
      const { bytesRead } = await file.read(piece, 0, piece.length, position)
      const found = piece.subarray(0, bytesRead).indexOf(marker)
      if (found !== -1 && found + overlap <= bytesRead) {
        const count = piece[found + marker.length + 1] ?? 0
        const start = found + marker.length + 2
        return piece.toString('latin1', start, start + count)
      }
      if (bytesRead < piece.length) return null
    }
  } finally {
    await file.close()
  }
}
