/** Files that commands write for the user. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { CommandFailed, UsageError } from './cli.ts'

/**
 * The file to write, as an absolute path without links in its folder.
 * @throws UsageError when it lies in the data folder: it would be lost with it, or replace a part of it
 * @throws CommandFailed when its folder is missing, or when it is there and may not be replaced
 */
export function targetFile(file: string, dataDir: string, mayReplace: boolean): string {
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new CommandFailed(`There is no folder ${folder}.`)
  const target = join(realpathSync(folder), basename(file))
  if (existsSync(dataDir) && isWithin(target, realpathSync(dataDir)))
    throw new UsageError('Choose a file outside of the data folder.')
  if (!existsSync(target)) return target
  if (!statSync(target).isFile()) throw new UsageError(`${file} is not a file.`)
  if (!mayReplace) throw new CommandFailed(`There is a file ${file} already; --force replaces it.`)
  return target
}

function isWithin(file: string, folder: string): boolean {
  return file.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
