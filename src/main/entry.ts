/** The app's first file: runs a command of `bin/modelport` in the package, else starts the desktop app. */
import { app } from 'electron'
import { commandArguments } from './command-arguments.ts'
import { refuseDebugging } from './debugging.ts'
import { quietBrowser } from './quiet-browser.ts'

quietBrowser()
// Only Linux packages have it. On macOS the keychain trusts this program, so others must not command it.
const args = process.platform === 'linux' ? commandArguments(process.argv) : null
if (args === null) {
  // Before all modules that hold texts.
  await import('./translation.ts')
  await import('./index.ts')
} else {
  refuseDebugging(process.argv.slice(0, process.argv.indexOf('--')))
  // Electron is ready only after this file has ended, so the command is not awaited here.
  void app.whenReady().then(() => runCommand(args))
}

/** @param commands  as after `modelport` */
async function runCommand(commands: readonly string[]): Promise<void> {
  const { runPackagedCommand } = await import('./packaged-command.ts')
  app.exit(await runPackagedCommand(commands))
}
