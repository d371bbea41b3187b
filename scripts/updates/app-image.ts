/** An update of an AppImage. Its runtime is a script here: electron-builder would download the real one. */
import { existsSync } from 'node:fs'
import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { previousFolder } from '../../src/main/updates/folder-install.ts'
import {
  download,
  expect,
  ledgerOf,
  newVersion,
  openUpdates,
  sendRequests,
  startStream,
  text,
  withApp,
  type Stage,
} from './stage.ts'

/** The folder of 0.1.0 is the app's; that of 0.2.0 is beside it after the way back. */
export async function checkAppImage(folderStage: Stage): Promise<string> {
  const { appDir, appsDir, feedDir } = folderStage
  const executable = join(appsDir, 'Modelport für alle.AppImage')
  await writeAppImage(executable, appDir)
  const packageFile = join(feedDir, `Modelport-${newVersion}.AppImage`)
  await writeAppImage(packageFile, previousFolder(appDir))
  await folderStage.app.quit()
  const options = { name: 'data of the AppImage', executable, packageFile }
  return withApp(folderStage, options, async (stage) => {
    const { app } = stage
    const before = ledgerOf(stage)
    await download(stage, newVersion)
    await openUpdates(stage)
    const facts = await app.facts()
    const { ended } = await startStream(stage)
    await app.click('Install and restart')
    const after = await app.restarted(facts)
    expect('the version', after.version, newVersion)
    expect('a file beside the app', existsSync(`${executable}.next`), false)
    await ended
    expect('the requests', ledgerOf(stage).requests, before.requests + 1)
    await sendRequests(stage, 1)
    await app.quit()
    expect('the version of the file', (await app.start()).version, newVersion)
    return `the stream in progress ended, then the app started again as ${newVersion} from the same file; ${text(ledgerOf(stage))}`
  })
}

/** Sets what the runtime of an AppImage sets, and starts the app that it mounts. */
async function writeAppImage(file: string, folder: string): Promise<void> {
  const lines = [
    '#!/bin/sh',
    `export APPIMAGE="$(realpath "$0")" APPDIR='${folder}'`,
    'exec "$APPDIR/modelport" "$@"',
  ]
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o755 })
  await chown(file, 65_534, 65_534)
}
