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
