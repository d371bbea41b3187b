/**
 * Writes the files of tools, and restores them. Each file is copied before its first change, replaced as a whole, and
 * restored byte for byte as long as nobody else changed it. Of a file that changed since, Modelport's own values are
 * taken out, and everything else stays.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import type { PlannedFile } from '../../shared/app/connect.ts'
import { ownerOnly, replaceFile, type FileAccess } from '../data-folder/durable-file.ts'
import { asFileProblem, FileProblem } from '../data-folder/file-errors.ts'
import { asText, followLinks, readConfig, type FileContent } from './config-file.ts'
import { formatOf } from './text-document.ts'
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

/** A file that was written. */
export interface WrittenFile {
  path: string
  name: string
  /** A copy of the file as it was; null when there was none. */
  backup: string | null
  /** SHA-256 of the file as it was (null when there was none) and as it was written. */
  beforeSha256: string | null
  afterSha256: string
  /** The file's permissions and owner as they were; null when there was none. */
  mode: number | null
  owner: FileAccess['owner']
  /** Changes that Modelport made in it. */
  changes: readonly OwnChange[]
}

/** A file that someone else changed, so that writing or restoring would lose the change. */
export class FileChanged extends Error {
  override readonly name = 'FileChanged'
}

/** Computes the change of a file, without changing anything. @throws FileProblem */
export async function planFile({ path: first, otherPaths, edit }: ToolFile): Promise<FilePlan> {
  const named = [first, ...(otherPaths ?? [])].find(existsSync) ?? first
  const name = basename(named)
  let plan: FilePlan = { path: named, name, before: null, after: null, problem: null }
  try {
    plan = { ...plan, path: await followLinks(named) }
    plan = { ...plan, before: await readConfig(plan.path) }
    const text = plan.before && asText(plan.before)
    // Refuses what an undo could not read.
    if (text !== null) formatOf(name).read(text)
    return { ...plan, after: edit(text) }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    const wayOut = 'Correct the file, or change it by hand with the values that Connect shows.'
    return { ...plan, problem: `${error.message} ${wayOut}` }
  }
}

/** The edited file of one run: where it is in the user's folder, and the variable that leads the tool to another one. */
export interface RunFile extends Pick<FilePlan, 'path' | 'problem'> {
  text: string
  variable: string
}

/** @returns null for a tool that reads everything from its environment */
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
  return { path, isNew: before === null && problem === null, diff, problem }
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
      owner: original?.owner ?? null,
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
    if (await isStill(path, hashOf(before))) continue
    throw new FileChanged(
      `${path} changed in the meantime. Connect again to see the new difference.`,
    )
  }
}

async function isStill(path: string, hash: string | null): Promise<boolean> {
  try {
    return hashOf(await readConfig(path)) === hash
  } catch (error) {
    if (error instanceof UnreadableFile) return false
    throw error
  }
}

/** @throws FileChanged, FileProblem; `takeBack` then restores the files that were written */
export async function writePlans(plans: readonly FilePlan[]): Promise<void> {
  await checkPlans(plans)
  for (const { path, before, after } of plans) {
    if (after === null) continue
    await createFolder(dirname(path))
    await replaceFile(path, after, accessFor(after, before))
  }
}

/** Undoes a `writePlans` that failed. @throws FileProblem */
export async function takeBack(plans: readonly FilePlan[]): Promise<void> {
  for (const { path, before, after } of plans) {
    if (after === null || !(await isStill(path, sha256(after)))) continue
    if (before === null) await rm(path)
    else await replaceFile(path, before.bytes, before)
  }
}

/** A file that gets a key is for its owner only. */
function accessFor(after: string, before: FileContent | null): FileAccess {
  if (before === null) return ownerOnly
  const { mode, owner } = before
  return { mode: withoutKeys(after) === after ? mode : mode & 0o700, owner }
}

/**
 * Restores every file, or none.
 * @throws FileChanged for files in which Modelport's values cannot be found, naming their copies; FileProblem
 */
export async function restoreFiles(files: readonly WrittenFile[]): Promise<void> {
  const originals = await Promise.all(
    files.map(async (file) => {
      const original = await originalOf(file, () => readConfig(file.path))
      return { path: file.path, original }
    }),
  )
  for (const { path, original } of originals) {
    if (original === null) await rm(path, { force: true })
    else await replaceFile(path, original.bytes, original)
  }
}

/** The original of a file; its present content when Modelport's values cannot be taken out of it. */
async function originalOr(now: FileContent | null, own: WrittenFile): Promise<FileContent | null> {
  try {
    return await originalOf(own, async () => now)
  } catch (error) {
    if (error instanceof FileChanged) return now
    throw error
  }
}

/** A file without Modelport's values; null when nothing else is in it. @throws FileChanged, FileProblem */
async function originalOf(
  file: WrittenFile,
  read: () => Promise<FileContent | null>,
): Promise<FileContent | null> {
  const { name, backup, beforeSha256, afterSha256, changes } = file
  try {
    const now = await read()
    // A file that somebody deleted has nothing of ours left.
    if (now === null) return null
    const access = { mode: file.mode ?? now.mode, owner: file.owner ?? now.owner }
    const bytes = backup === null ? null : await readCopy(backup)
    const copy = bytes && { bytes, ...access }
    if ([beforeSha256, afterSha256].includes(hashOf(now))) return copy
    const before = copy === null ? '' : asText(copy)
    const text = withoutOwn(name, asText(now), { before, changes })
    const isOursAlone = copy === null && isEmptyFile(name, text)
    return isOursAlone ? null : { bytes: Buffer.from(text), ...access }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    throw new FileChanged(changedMessage(file), { cause: error })
  }
}

async function readCopy(backup: string): Promise<Buffer> {
  const copy = await readConfig(backup)
  if (copy) return copy.bytes
  throw new FileProblem(
    `The copy ${backup} is missing, so nothing is restored. Remove Modelport’s values from the file by hand.`,
  )
}

function changedMessage({ path, backup }: WrittenFile): string {
  const wayOut =
    backup === null
      ? 'There was no such file before: remove Modelport’s lines by hand, or delete the file.'
      : `Remove Modelport’s lines by hand, or copy the file as it was from ${backup}.`
  return `${path} was changed after Modelport wrote it, so it is not restored. ${wayOut}`
}

async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    throw asFileProblem(error, folder)
  }
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
