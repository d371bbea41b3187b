/**
 * An app in a folder of its own, from the `.tar.gz`. A new version is unpacked beside it (`NAME.next`) while it runs; once
 * it has stopped, the folders are exchanged, and the old one stays as `NAME.previous`.
 */
import { spawn } from 'node:child_process'
import type * as nodeFs from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Installation, RestartAfter } from './installation.ts'
import { UpdateProblem } from './update-problem.ts'

/** Electron's own `fs` treats an archive of an app as a folder, and cannot delete it. */
export type FileSystem = Pick<
  typeof nodeFs,
  'access' | 'chmod' | 'mkdir' | 'rename' | 'rm' | 'stat'
>

export interface FolderInstall {
  /** The app's folder. */
  folder: string
  fs: FileSystem
  /** The version of the app in a folder; null when there is none. */
  versionIn(folder: string): Promise<string | null>
}

const writable = 2

export const nextFolder = (folder: string) => `${folder}.next`
export const previousFolder = (folder: string) => `${folder}.previous`
const leavingFolder = (folder: string) => `${folder}.leaving`

export function folderInstallation(
  install: FolderInstall,
  restartAfter: RestartAfter,
): Installation {
  const next = nextFolder(install.folder)
  return {
    needsPassword: false,
    assertReplaceable: () => assertReplaceable(install),
    prepare: ({ file, version }, signal) => unpackBeside(install, file, { version, signal }),
    async install() {
      restartAfter(() => exchangeFolders(install, next))
    },
    discard: () => install.fs.rm(next, { recursive: true, force: true }),
  }
}

/**
 * Deletes a version that was unpacked and never installed. Completes an exchange that a crash interrupted after the new
 * version was in place. Call it at the start of the app.
 * @throws an error of the file system
 */
export async function removeLeftovers({
  folder,
  fs,
}: Pick<FolderInstall, 'folder' | 'fs'>): Promise<void> {
  await fs.rm(nextFolder(folder), { recursive: true, force: true })
  const leaving = leavingFolder(folder)
  const isInterrupted = await fs.stat(leaving).then(
    () => true,
    () => false,
  )
  if (isInterrupted) await keepAsPrevious({ folder, fs })
}

/** @throws UpdateProblem `read_only` */
export async function assertReplaceable({ folder, fs }: FolderInstall): Promise<void> {
  try {
    // A rename changes the parent folder; deleting the older version changes its own.
    for (const each of [dirname(folder), folder]) await fs.access(each, writable)
  } catch (error) {
    throw new UpdateProblem('read_only', { cause: error })
  }
}

/**
 * @throws UpdateProblem `bad_feed` when the archive holds another version; an error of the file system; the signal's
 * reason. Nothing stays beside the app then.
 */
export async function unpackBeside(
  install: FolderInstall,
  archive: string,
  { version, signal }: { version: string; signal: AbortSignal },
): Promise<void> {
  const { folder, fs, versionIn } = install
  const next = nextFolder(folder)
  await fs.rm(next, { recursive: true, force: true })
  try {
    await fs.mkdir(next)
    await unpack(archive, next)
    await fs.chmod(next, (await fs.stat(folder)).mode & 0o777)
    if ((await versionIn(next)) !== version) throw new UpdateProblem('bad_feed')
    signal.throwIfAborted()
  } catch (error) {
    await fs.rm(next, { recursive: true, force: true })
    throw error
  }
}

/** The archive's hash was verified; its paths are trusted. */
function unpack(archive: string, folder: string): Promise<void> {
  const args = ['--extract', '--strip-components=1', '--no-same-owner', '--preserve-permissions']
  const child = spawn('tar', [...args, `--file=${archive}`, `--directory=${folder}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`tar ended with ${code}: ${errors.slice(0, 500)}`))
    })
  })
}

/**
 * Puts another folder in the app's place, and keeps the app as `NAME.previous`. Call it when the app has stopped.
 * @throws an error of the file system, after which the app's folder is as before
 */
export async function exchangeFolders(
  { folder, fs }: Pick<FolderInstall, 'folder' | 'fs'>,
  replacement: string,
): Promise<void> {
  const leaving = leavingFolder(folder)
  // Left by an exchange that a crash interrupted after the new version was in place.
  await fs.rm(leaving, { recursive: true, force: true })
  await fs.rename(folder, leaving)
  try {
    await fs.rename(replacement, folder)
  } catch (error) {
    await fs.rename(leaving, folder)
    throw error
  }
  await keepAsPrevious({ folder, fs })
}

async function keepAsPrevious({ folder, fs }: Pick<FolderInstall, 'folder' | 'fs'>): Promise<void> {
  const previous = previousFolder(folder)
  await fs.rm(previous, { recursive: true, force: true })
  await fs.rename(leavingFolder(folder), previous)
}
