/** The version of this program, and whether its files are those that packaging listed in `installation.json`. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import packageFile from '../../../package.json' with { type: 'json' }
import type { Finding } from './finding.ts'

const check = 'installation'
const wayOut = 'Install Modelport again, and tell who gave it to you if this returns.'
/** In the desktop app, the code is within an archive beside the list; in the npm package, two folders below it. */
const mostFoldersUp = 5
const shown = 5

const listSchema = z.strictObject({
  version: z.string(),
  /** SHA-256 by path below the list's folder. */
  files: z.record(z.string(), z.hash('sha256')),
})

/** @param from  a folder of the program; that of this file by default. @throws never */
export async function examineInstallation(from = import.meta.dirname): Promise<Finding> {
  const file = findList(from)
  const { version } = packageFile
  if (file === null) {
    return found('ok', `Modelport ${version}, from its source: no list of files to compare with.`)
  }
  const list = readList(file)
  if (list === null) return found('fail', `${file} cannot be read.`)
  if (list.version !== version) {
    return found('fail', `Modelport ${version} has files that belong to ${list.version}.`)
  }
  const problems = await compare(dirname(file), list.files)
  const count = Object.keys(list.files).length
  if (problems.length === 0)
    return found('ok', `Modelport ${version}: all ${count} files are as packaged.`)
  const names = problems.slice(0, shown).join(', ')
  const more = problems.length > shown ? `, and ${problems.length - shown} more` : ''
  return found('fail', `Modelport ${version}, of ${count} files not as packaged: ${names}${more}.`)
}

function found(status: 'ok' | 'fail', message: string): Finding {
  return { check, status, message, wayOut: status === 'ok' ? null : wayOut }
}

function findList(from: string): string | null {
  let folder = from
  for (let up = 0; up <= mostFoldersUp; up += 1) {
    const file = join(folder, 'installation.json')
    if (existsSync(file)) return file
    folder = dirname(folder)
  }
  return null
}

function readList(file: string): z.infer<typeof listSchema> | null {
  try {
    return listSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** Electron would show `app.asar` as a folder. */
async function compare(folder: string, files: Readonly<Record<string, string>>): Promise<string[]> {
  const { noAsar } = process as { noAsar?: boolean }
  Reflect.set(process, 'noAsar', true)
  try {
    const problems = []
    for (const [path, expected] of Object.entries(files)) {
      const actual = await hashOf(join(folder, path))
      if (actual !== expected) problems.push(`${path} (${actual === null ? 'missing' : 'changed'})`)
    }
    return problems
  } finally {
    Reflect.set(process, 'noAsar', noAsar)
  }
}

async function hashOf(file: string): Promise<string | null> {
  try {
    const hash = createHash('sha256')
    await pipeline(createReadStream(file), hash)
    return hash.digest('hex')
  } catch {
    return null
  }
}
