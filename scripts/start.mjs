// `npm start`: makes sure of everything on this machine, builds, and opens the app; without a display it runs the
// service alone and prints a first request.
import { ensureBuild } from './setup/build.mjs'
import { hasDisplay } from './setup/display.mjs'
import { prepare } from './setup/prepare.mjs'
import { print, runLauncher, step } from './setup/progress.mjs'
import { startDesktop } from './start-desktop.mjs'
import { startHeadless } from './start-headless.mjs'

await runLauncher(async () => {
  const setup = await prepare({ window: hasDisplay(process.env), tests: false })
  await step('Build', () => ensureBuild())
  if (setup.desktop) return startDesktop(setup.desktop)
  print(
    'No display here (neither DISPLAY nor WAYLAND_DISPLAY is set): running the service without a window.',
  )
  return startHeadless(setup)
})
