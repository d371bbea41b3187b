import { row } from '../../bench/row.ts'
import { reportMeasured } from '../../test/torture/share.ts'
import { readFuses } from '../setup/fuses.mjs'
import { fallbackVersion } from '../setup/electron-fallback.mjs'

/**
 * Reads every fuse back from a binary.
 * @param {string} executable
 * @param {string} electronVersion
 */
export async function checkFuses(executable, electronVersion) {
  const states = await readFuses(executable, { isFallback: electronVersion === fallbackVersion })
  const count = states.length
  reportMeasured([row(`fuses of Electron ${electronVersion} as configured`, [count, ''])])
  const detail = `${count} fuses of Electron ${electronVersion}: ${states.join(', ')}`
  return { value: undefined, count, detail }
}
