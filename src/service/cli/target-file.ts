/** Files that commands write for the user. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { CommandFailed, UsageError } from './cli.ts'

/**
 * The file to write, as an absolute path without links in its folder.
 * @throws UsageError when it is in the data folder: it could replace a file of the folder, or be lost with it
 * @throws CommandFailed when its folder is missing, or when it exists and must not be replaced
 */
export function targetFile(file: string, dataDir: string, mayReplace: boolean): string {
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new CommandFailed(`There is no folder ${folder}.`)
  const target = join(realpathSync(folder), basename(file))
  if (existsSync(dataDir) && isWithin(target, realpathSync(dataDir)))
    throw new UsageError('Choose a file outside the data folder.')
  if (!existsSync(target)) return target
  if (!statSync(target).isFile()) throw new UsageError(`${file} is not a file.`)
  if (!mayReplace) throw new CommandFailed(`${file} already exists. Add --force to overwrite it.`)
  return target
}

function isWithin(file: string, folder: string): boolean {
  return file.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
