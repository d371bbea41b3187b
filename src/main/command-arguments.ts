/** Passed by packaging/linux/modelport, before `--` and the arguments of the command line. */
const commandSwitch = '--command-line'

/**
 * The arguments of the command line, when the package's `bin/modelport` started this process; null for the desktop app.
 * @param argv  the program, its switches, `--`, and the arguments
 */
export function commandArguments(argv: readonly string[]): string[] | null {
  const end = argv.indexOf('--')
  return end >= 0 && argv.slice(0, end).includes(commandSwitch) ? argv.slice(end + 1) : null
}

/** Opens the quick entry. A shortcut of the desktop's own settings can start the app with it. */
export const askSwitch = '--ask'

/** Whether a start, also a second one, is meant for the quick entry. @param argv  the program and its switches */
export function isForQuickEntry(argv: readonly string[]): boolean {
  return argv.includes(askSwitch)
}
