/**
 * Writes the files of tools, and restores them. Each file is copied before its first change, replaced as a whole, and
 * restored byte for byte as long as nobody else changed it. Of a file that changed since, Modelport's own values are
 * taken out, and everything else stays.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readlink, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import type { PlannedFile } from '../../shared/connect.ts'
import { replaceFile } from '../files/durable-file.ts'
import { asFileProblem } from '../files/file-errors.ts'
import { UnreadableFile, type Home, type ToolFile, type ToolProgram } from './tool.ts'
import { isEmptyFile, ownChanges, withoutOwn, type OwnChange } from './undo-edit.ts'

/** A file as it is, and as it would be. */
export interface FilePlan {
  path: string
  /** The file's name for the tool, which says its format. A link may lead to a file with another name. */
  name: string
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
  name: string
  /** A copy of the file as it was; null when there was none. */
  backup: string | null
  /** SHA-256 of the file as it was (null when there was none) and as it was written. */
  beforeSha256: string | null
  afterSha256: string
  /** The file's permissions as they were; null when there was none. */
  mode: number | null
  /** What Modelport changed in it. */
  changes: readonly OwnChange[]
}

/** A file that someone else changed, so that writing or restoring would lose the change. */
export class FileChanged extends Error {
  override readonly name = 'FileChanged'
}

const ownerOnly = 0o600

/** Computes the change of a file, without changing anything. @throws FileProblem */
export async function planFile({ path: first, otherPaths, edit }: ToolFile): Promise<FilePlan> {
  const named = [first, ...(otherPaths ?? [])].find(existsSync) ?? first
  const name = basename(named)
  const path = await followLinks(named)
  const before = await readContent(path)
  try {
    const after = edit(before === null ? null : asText(before))
    return { path, name, before, after, problem: null }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    const problem = `${error.message} Correct the file, or change it by hand as shown above.`
    return { path, name, before, after: null, problem }
  }
}

/** The edited file of one run: where it is in the user's folder, and the variable that leads the tool to another one. */
export interface RunFile extends Pick<FilePlan, 'path' | 'problem'> {
  text: string
  variable: string
}

/** Null for a tool that reads everything from its environment. */
export async function planRunFile({ folder }: ToolProgram, home: Home): Promise<RunFile | null> {
  if (!folder) return null
  const { path, after, problem } = await planFile(folder.file(home))
  const { variable } = folder
  return { path, text: after ?? '', variable, problem: problem && `${path}: ${problem}` }
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
 * Copies the planned files to `backupFolder`, without what an earlier write put into them. Other files of that write are
 * restored with these.
 */
export async function backUp(
  plans: readonly FilePlan[],
  { backupFolder, earlier }: { backupFolder: string; earlier: readonly WrittenFile[] },
): Promise<WrittenFile[]> {
  const kept = earlier.filter(({ path }) => !plans.some((plan) => plan.path === path))
  const written = plans.map(async ({ path, name, before, after }): Promise<WrittenFile> => {
    const own = earlier.find((file) => file.path === path)
    const original = own === undefined ? before : await originalOr(before, own)
    const text = original === null ? '' : original.bytes.toString('utf8')
    const file = {
      path,
      name,
      beforeSha256: hashOf(original),
      afterSha256: sha256(after ?? ''),
      mode: original?.mode ?? null,
      changes: after === null ? [] : ownChanges(name, text, after),
    }
    if (original === null) return { ...file, backup: null }
    const backup = join(backupFolder, `${sha256(original.bytes).slice(0, 12)}-${basename(path)}`)
    await mkdir(backupFolder, { recursive: true, mode: 0o700 })
    await replaceFile(backup, original.bytes)
    return { ...file, backup }
  })
  return [...kept, ...(await Promise.all(written))]
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
 * @throws FileChanged for files in which Modelport's values cannot be found, naming their copies; FileProblem
 */
export async function restoreFiles(files: readonly WrittenFile[]): Promise<void> {
  const originals = await Promise.all(
    files.map(async (file) => {
      const original = await originalOf(file, await readContent(file.path))
      return { path: file.path, original }
    }),
  )
  for (const { path, original } of originals) {
    if (original === null) await rm(path, { force: true })
    else await replaceFile(path, original.bytes, original.mode)
  }
}

/** What is there counts as the original when Modelport's values cannot be taken out of it. */
async function originalOr(now: FileContent | null, own: WrittenFile): Promise<FileContent | null> {
  try {
    return await originalOf(own, now)
  } catch (error) {
    if (error instanceof FileChanged) return now
    throw error
  }
}

/** A file without Modelport's values; null when nothing else is in it. @throws FileChanged, FileProblem */
async function originalOf(file: WrittenFile, now: FileContent | null): Promise<FileContent | null> {
  const { name, backup, mode, beforeSha256, afterSha256, changes } = file
  const copy = backup === null ? null : { bytes: await readFile(backup), mode: mode ?? ownerOnly }
  // A file that somebody deleted has nothing of ours left.
  if (now === null) return null
  if ([beforeSha256, afterSha256].includes(hashOf(now))) return copy
  if (changes.length === 0) throw new FileChanged(changedMessage(file))
  try {
    const before = copy === null ? '' : asText(copy)
    const text = withoutOwn(name, asText(now), { before, changes })
    const isOursAlone = copy === null && isEmptyFile(name, text)
    return isOursAlone ? null : { bytes: Buffer.from(text), mode: mode ?? now.mode }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    throw new FileChanged(changedMessage(file), { cause: error })
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
