import { t } from '../shared/strings/strings.ts'
/**
 * Whether this start of the app may be debugged: switches, the SIGUSR1 signal, DevTools and the page of the
 * hot-reloading server. Any of them lets another program read keys or replace the window's page, so an
 * environment variable or a switch must not turn them on: a program that passes a switch could set
 * the variable as well. Two cases remain:
 * - A build of `npm run dev`. The bundler writes the mode into the code.
 * - A start through another script that sets `debuggable` first, as in the end-to-end tests: Playwright controls the
 *   app through its debugger. Anyone who can start Electron with their own script already runs their own code.
 */
const debuggable = Symbol.for('modelport.debuggable')

export const isDevelopmentBuild = import.meta.env.DEV

export const mayBeDebugged = isDevelopmentBuild || Reflect.get(globalThis, debuggable) === true

/** Switches by which another program could read this one's memory or redirect its requests. */
const refused =
  /^--(inspect|remote-debugging|js-flags|host-rules|host-resolver-rules|load-extension)/

/** Ends an app that was started with such a switch, and keeps a signal from opening the debugger. */
export function refuseDebugging(commandLine: readonly string[]): void {
  if (mayBeDebugged) return
  // A listener replaces the default action of Node.js, which opens the debugger.
  if (process.platform !== 'win32') process.on('SIGUSR1', () => {})
  const flag = findRefusedFlag(commandLine)
  if (flag === null) return
  process.stderr.write(`${t('Modelport does not start with {flag}.', { flag })}\n`)
  process.exit(1)
}

/** The first refused switch of a command line; null when there is none. */
export function findRefusedFlag(commandLine: readonly string[]): string | null {
  return commandLine.find((argument) => refused.test(argument)) ?? null
}
