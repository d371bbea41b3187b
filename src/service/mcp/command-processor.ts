/** Windows runs files such as `npx.cmd` only through its command processor, whose special characters are escaped here. */

export interface Command {
  /** Absolute. */
  command: string
  args: readonly string[]
  cwd: string
  /** All variables of the process. */
  env: Readonly<Record<string, string | undefined>>
}

interface Runnable {
  command: string
  args: string[]
  options: { windowsVerbatimArguments?: true }
}

/** What to start for a command. */
export function withCommandProcessor(
  { command, args, env }: Command,
  platform: NodeJS.Platform = process.platform,
): Runnable {
  if (platform !== 'win32' || !/\.(cmd|bat)$/i.test(command)) {
    return { command, args: [...args], options: {} }
  }
  // A batch file expands its arguments once more.
  const line = [
    escapeCharacters(command),
    ...args.map((arg) => escapeCharacters(escapeCharacters(quote(arg)))),
  ]
  return {
    command: env['COMSPEC'] ?? 'cmd.exe',
    args: ['/d', '/s', '/c', `"${line.join(' ')}"`],
    options: { windowsVerbatimArguments: true },
  }
}

function escapeCharacters(text: string): string {
  return text.replaceAll(/[()\][%!^"`<>&|;, *?]/g, '^$&')
}

/** As programs on Windows read it: backslashes are doubled before a quotation mark and at the end. */
function quote(arg: string): string {
  return `"${arg.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`
}
