/**
 * Whether a window can be opened.
 * @param {NodeJS.ProcessEnv} env
 */
export function hasDisplay(env) {
  if (process.platform !== 'linux') return true
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
}

/**
 * Wraps a command so that it runs on a separate display, which ends with the command.
 * @param {readonly [string, ...string[]]} command
 * @returns {[string, ...string[]]}
 */
export function onVirtualDisplay(command) {
  return ['xvfb-run', '-a', '-s', '-screen 0 1440x900x24', ...command]
}
