/**
 * Writes the files of tools, and restores them. Each file is copied before its first change, replaced as a whole, and
 * restored byte for byte as long as nobody else changed it.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readlink, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import type { PlannedFile } from '../../shared/connect.ts'
import { replaceFile } from '../files/durable-file.ts'
import { asFileProblem } from '../files/file-errors.ts'
import { UnreadableFile, type ToolFile } from './tool.ts'

/** A file as it is, and as it would be. */
export interface FilePlan {
  path: string
  before: FileContent | null
  /** Null when it cannot be changed; `problem` says why. */
  after: string | null
  problem: string | null
}

interface FileContent {
  bytes: Buffer
  mode: number
}

/** A file that was written. */
export interface WrittenFile {
  path: string
  /** A copy of the file as it was; null when there was none. */
  backup: string | null
  /** SHA-256 of the file as it was (null when there was none) and as it was written. */
  beforeSha256: string | null
  afterSha256: string
  /** The file's permissions as they were; null when there was none. */
  mode: number | null
}

/** A file that someone else changed, so that writing or restoring would lose the change. */
export class FileChanged extends Error {
  override readonly name = 'FileChanged'
}

const ownerOnly = 0o600

/** Computes the change of a file, without changing anything. @throws FileProblem */
export async function planFile({ path: first, otherPaths, edit }: ToolFile): Promise<FilePlan> {
  const path = await followLinks([first, ...(otherPaths ?? [])].find(existsSync) ?? first)
  const before = await readContent(path)
  try {
    return { path, before, after: edit(before === null ? null : asText(before)), problem: null }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    const problem = `${error.message} Correct the file, or change it by hand as shown above.`
    return { path, before, after: null, problem }
  }
}

/** A plan as people see it. Keys of Modelport are shortened in the difference. */
export function showPlan({ path, before, after, problem }: FilePlan): PlannedFile {
  const from = before === null ? '' : before.bytes.toString('utf8')
  const isSame = after === null || after === from
  const [old, wanted] = [withoutKeys(from), withoutKeys(after ?? '')]
  const diff = isSame ? '' : createTwoFilesPatch(path, path, old, wanted, '', '')
  return { path, isNew: before === null, diff, problem }
}

/**
 * Copies the planned files to `backupFolder`. Files that are still as an earlier write left them keep its copy; others
 * of that write are no longer restored.
 */
export async function backUp(
  plans: readonly FilePlan[],
  { backupFolder, earlier }: { backupFolder: string; earlier: readonly WrittenFile[] },
): Promise<WrittenFile[]> {
  const untouched = await filesAsWritten(earlier)
  const kept = untouched.filter(({ path }) => !plans.some((plan) => plan.path === path))
  const written = plans.map(async ({ path, before, after }): Promise<WrittenFile> => {
    const beforeSha256 = before && sha256(before.bytes)
    const afterSha256 = sha256(after ?? '')
    const mode = before?.mode ?? null
    const own = untouched.find((file) => file.path === path)
    if (own) return { ...own, afterSha256 }
    if (before === null) return { path, backup: null, beforeSha256, afterSha256, mode }
    const backup = join(backupFolder, `${sha256(before.bytes).slice(0, 12)}-${basename(path)}`)
    await mkdir(backupFolder, { recursive: true, mode: 0o700 })
    await replaceFile(backup, before.bytes)
    return { path, backup, beforeSha256, afterSha256, mode }
  })
  return [...kept, ...(await Promise.all(written))]
}

async function filesAsWritten(files: readonly WrittenFile[]): Promise<WrittenFile[]> {
  const hashes = await Promise.all(files.map(async ({ path }) => hashOf(await readContent(path))))
  return files.filter(({ afterSha256 }, index) => hashes[index] === afterSha256)
}

/** @throws FileChanged when a file is no longer as planned; FileProblem */
export async function checkPlans(plans: readonly FilePlan[]): Promise<void> {
  for (const { path, before } of plans) {
    const now = await readContent(path)
    if (hashOf(now) === hashOf(before)) continue
    throw new FileChanged(
      `${path} changed in the meantime. Connect again to see the new difference.`,
    )
  }
}

/** @throws FileChanged, FileProblem; `takeBack` then restores the files that were written */
export async function writePlans(plans: readonly FilePlan[]): Promise<void> {
  await checkPlans(plans)
  for (const { path, before, after } of plans) {
    if (after === null) continue
    await createFolder(dirname(path))
    await replaceFile(path, after, modeFor(after, before))
  }
}

/** Undoes a `writePlans` that failed. @throws FileProblem */
export async function takeBack(plans: readonly FilePlan[]): Promise<void> {
  for (const { path, before, after } of plans) {
    const now = await readContent(path)
    if (after === null || hashOf(now) !== sha256(after)) continue
    if (before === null) await rm(path)
    else await replaceFile(path, before.bytes, before.mode)
  }
}

/** A file that gets a key is for its owner only. */
function modeFor(after: string, before: FileContent | null): number {
  if (before === null) return ownerOnly
  return withoutKeys(after) === after ? before.mode : before.mode & 0o700
}

/**
 * Restores every file, or none.
 * @throws FileChanged for files that were changed since, naming their copies; FileProblem
 */
export async function restoreFiles(files: readonly WrittenFile[]): Promise<void> {
  const current = await Promise.all(
    files.map(async (file) => ({ ...file, content: await readContent(file.path) })),
  )
  const changed = current.filter(
    ({ content, beforeSha256, afterSha256 }) =>
      ![beforeSha256, afterSha256].includes(hashOf(content)),
  )
  if (changed.length > 0) throw new FileChanged(changed.map(changedMessage).join('\n'))
  for (const { path, backup, mode } of current) {
    if (backup === null) await rm(path, { force: true })
    else await replaceFile(path, await readFile(backup), mode ?? ownerOnly)
  }
}

function changedMessage({ path, backup }: WrittenFile): string {
  const wayOut =
    backup === null
      ? 'There was no such file before: remove Modelport’s lines by hand, or delete the file.'
      : `Remove Modelport’s lines by hand, or copy the file as it was from ${backup}.`
  return `${path} was changed after Modelport wrote it, so it is not restored. ${wayOut}`
}

/** Configuration files are often links into a folder under version control. The link stays. */
async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!isMissing(error)) throw asFileProblem(error, path)
  }
  try {
    // A link can name a file that does not exist yet.
    const target = await readlink(path)
    return await followLinks(resolve(await realpath(dirname(path)), target))
  } catch (error) {
    if (isMissing(error)) return path
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

async function readContent(path: string): Promise<FileContent | null> {
  try {
    const bytes = await readFile(path)
    const { mode } = await stat(path)
    return { bytes, mode: mode & 0o777 }
  } catch (error) {
    if (isMissing(error)) return null
    throw asFileProblem(error, path)
  }
}

async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    throw asFileProblem(error, folder)
  }
}

/** @throws UnreadableFile for bytes that a text could not give back */
function asText({ bytes }: FileContent): string {
  const text = bytes.toString('utf8')
  if (Buffer.from(text).equals(bytes)) return text
  throw new UnreadableFile('It is not UTF-8 text.')
}

function hashOf(content: FileContent | null): string | null {
  return content && sha256(content.bytes)
}

function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex')
}

function withoutKeys(text: string): string {
  return text.replaceAll(/\bmp_[0-9A-Za-z]{32}([0-9A-Za-z]{4})\b/g, 'mp_…$1')
}
