/**
 * Sets Electron's fuses, switches in its binary that nothing can change at run time. resources/fuses.json lists all of
 * them in the binary's order. We set them ourselves because electron-builder brings a version of @electron/fuses that
 * does not know the last one.
 * @see https://www.electronjs.org/docs/latest/tutorial/fuses
 */
import {
  FuseState,
  FuseV1Options,
  FuseVersion,
  flipFuses,
  getCurrentFuseWire,
} from '@electron/fuses'
import fuses from '../../resources/fuses.json' with { type: 'json' }

/** @typedef {{ isFallback: boolean }} Runtime  whether Electron is the older fallback of closed networks */

/**
 * Sets every fuse.
 * @param {string} app  the program, or the `.app` folder on macOS
 * @param {Runtime} runtime
 * @throws when Electron has a fuse that is not in the list, or lacks one that is
 */
export async function setFuses(app, runtime) {
  const states = fusesOf(runtime).map(({ name, isOn }) => [indexOf(name), isOn])
  await flipFuses(app, {
    version: FuseVersion.V1,
    ...Object.fromEntries(states),
    strictlyRequireAllFuses: true,
  })
}

/**
 * Reads every fuse back.
 * @param {string} app
 * @param {Runtime} runtime
 * @returns {Promise<string[]>} each fuse and its state, such as `RunAsNode off`
 * @throws when one is not as configured
 */
export async function readFuses(app, runtime) {
  const { version: _version, ...wire } = await getCurrentFuseWire(app)
  const expected = fusesOf(runtime)
  const count = Object.keys(wire).length
  if (count !== expected.length)
    throw new Error(`${app} has ${count} fuses, but ${expected.length} are configured.`)
  return expected.map(({ name, isOn }) => {
    if (wire[indexOf(name)] !== (isOn ? FuseState.ENABLE : FuseState.DISABLE))
      throw new Error(`The fuse ${name} of ${app} is not as configured.`)
    return `${name} ${isOn ? 'on' : 'off'}`
  })
}

/** @param {Runtime} runtime */
function fusesOf({ isFallback }) {
  return fuses.filter((fuse) => !isFallback || fuse.isInFallback !== false)
}

/** @param {string} name */
function indexOf(name) {
  return FuseV1Options[/** @type {keyof typeof FuseV1Options} */ (name)]
}
