import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { fuses } from '../../packaging/electron-builder.mjs'
import { SetupError } from '../setup/progress.mjs'

/**
 * Reads every fuse back from a binary.
 * @param {string} executable
 */
export async function checkFuses(executable) {
  const wire = await getCurrentFuseWire(executable)
  const states = Object.entries(fuses).map(([name, isOn]) => {
    const option = /** @type {keyof typeof FuseV1Options} */ (
      name.charAt(0).toUpperCase() + name.slice(1)
    )
    const state = wire[/** @type {FuseV1Options} */ (FuseV1Options[option])]
    if (state !== (isOn ? FuseState.ENABLE : FuseState.DISABLE))
      throw new SetupError(`The fuse ${name} of ${executable} is not as configured.`)
    return `${name} ${isOn ? 'on' : 'off'}`
  })
  const count = states.length
  return { value: undefined, count, detail: `${count} fuses: ${states.join(', ')}` }
}
