// `npm run dev`: the app with hot reload, on the Electron that the launcher finds.
import { join } from 'node:path'
import { discardBuild } from './setup/build.mjs'
import { repositoryDir } from './setup/paths.mjs'
import { prepare } from './setup/prepare.mjs'
import { runLauncher, SetupError } from './setup/progress.mjs'
import { runInForeground } from './setup/run-in-foreground.mjs'
import { sandboxArguments } from './setup/sandbox.mjs'

await runLauncher(async () => {
  const { node24, desktop } = await prepare({ window: true, tests: false })
  if (!desktop) throw new SetupError('No Electron was prepared.')
  await discardBuild()
  const noSandbox = sandboxArguments().length > 0 ? ['--noSandbox'] : []
  return runInForeground({
    command: node24,
    args: [
      join(repositoryDir, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js'),
      'dev',
      ...noSandbox,
    ],
    cwd: repositoryDir,
    env: { ...desktop.env, ELECTRON_EXEC_PATH: desktop.electron },
    wholeGroup: true,
  })
})
