/** The absolute path of a command, as it is shown before a consent and then started. */
import { execFile } from 'node:child_process'
import { access, constants, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

interface Places {
  cwd: string
  path: string
  env: Environment
  platform?: NodeJS.Platform
}

/** @returns null when there is no such program */
export async function findCommand(
  command: string,
  { cwd, path, env, platform = process.platform }: Places,
): Promise<string | null> {
  const folders = /[/\\]/.test(command) ? [cwd] : path.split(delimiter).filter(isAbsolute)
  const endings = platform === 'win32' ? windowsEndings(command, env) : ['']
  for (const folder of folders) {
    for (const ending of endings) {
      const file = /[/\\]/.test(command)
        ? resolve(folder, command + ending)
        : join(folder, command + ending)
      if (await isProgram(file)) return file
    }
  }
  return null
}

/** Windows starts files with some endings only; beside `npx.cmd`, Node installs a script for other shells without one. */
function windowsEndings(command: string, env: Environment): string[] {
  const endings = (env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';').filter(Boolean)
  const named = command.toLowerCase()
  return endings.some((ending) => named.endsWith(ending.toLowerCase())) ? [''] : endings
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}

const mark = '__modelport_path__'
const shellMs = 5_000

/**
 * PATH as in a terminal. An app that the desktop started lacks what the user's shell adds, such as Homebrew and nvm.
 * Never rejects: without an answer of the shell, it is that of this process.
 */
export async function loginShellPath(env: Environment): Promise<string> {
  const own = env['PATH'] ?? env['Path'] ?? ''
  const shell = env['SHELL']
  if (process.platform === 'win32' || shell === undefined || !isAbsolute(shell)) return own
  const print = `printf '%s%s%s' '${mark}' "$PATH" '${mark}'`
  const output = await new Promise<string>((done) => {
    const options = {
      timeout: shellMs,
      killSignal: 'SIGKILL',
      env: { ...env, TERM: 'dumb' },
    } as const
    execFile(shell, ['-ilc', print], options, (_error, stdout) => done(stdout))
  })
  const [, found = ''] = output.split(mark)
  return [...new Set([...found.split(delimiter), ...own.split(delimiter)])]
    .filter(Boolean)
    .join(delimiter)
}

/** Variables that a server gets without being named, as the SDK has them. */
const inherited =
  'HOME LOGNAME SHELL TERM USER APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE WINDIR'.split(
    ' ',
  )

/** The variables of a server's process. No key of a provider is among them. */
export function serverEnvironment(
  env: Environment,
  path: string,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const known = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && inherited.includes(name.toUpperCase()) ? [[name, value] as const] : [],
  )
  return { ...Object.fromEntries(known), PATH: path, ...given }
}
