/** A copy of the program's sources, to show which files a kind of change touches. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../..')

const serviceProject = {
  extends: './tsconfig.base.json',
  compilerOptions: {
    lib: ['es2024'],
    types: ['node'],
    allowJs: true,
    composite: false,
    emitDeclarationOnly: false,
    noEmit: true,
  },
  include: ['src/shared', 'src/service'],
  exclude: ['**/*.test.ts'],
}

const windowProject = {
  ...serviceProject,
  compilerOptions: {
    ...serviceProject.compilerOptions,
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
    jsx: 'react-jsx',
  },
  include: ['src/renderer'],
  exclude: ['**/*.test.ts', '**/*.test.tsx'],
}

export interface TreeCopy {
  folder: string
  /** @param file  relative to `src` */
  write(file: string, text: string): Promise<void>
  /** Files of `src` that exist in both trees and differ. */
  changedFiles(): Promise<string[]>
  /** Files of `src` that only the copy has. */
  newFiles(): Promise<string[]>
  remove(): Promise<void>
}

/** Copies the tree with the same packages. `tsc -p` checks the service; `tsconfig.window.json` is the window. */
export async function copyTree(): Promise<TreeCopy> {
  const folder = await mkdtemp(path.join(tmpdir(), 'modelport-copy-'))
  await Promise.all(
    ['bin', 'src', 'resources', 'package.json', 'tsconfig.base.json'].map((name) =>
      cp(path.join(root, name), path.join(folder, name), { recursive: true }),
    ),
  )
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(serviceProject))
  await writeFile(path.join(folder, 'tsconfig.window.json'), JSON.stringify(windowProject))
  const read = (tree: string, file: string) => readFile(path.join(tree, 'src', file), 'utf8')
  return {
    folder,
    async write(file, text) {
      const target = path.join(folder, 'src', file)
      await mkdir(path.dirname(target), { recursive: true })
      await writeFile(target, text)
    },
    async changedFiles() {
      const isChanged = async (file: string) =>
        (await read(folder, file)) !== (await read(root, file))
      const changed = await Promise.all(
        (await sourcesOf(root)).map(async (file) => ((await isChanged(file)) ? [file] : [])),
      )
      return changed.flat()
    },
    async newFiles() {
      const known = new Set(await sourcesOf(root))
      return (await sourcesOf(folder)).filter((file) => !known.has(file))
    },
    remove: () => rm(folder, { recursive: true }),
  }
}

/** Relative to `src`. */
export async function sourcesOf(tree: string): Promise<string[]> {
  const files = await readdir(path.join(tree, 'src'), { recursive: true })
  return files.filter((file) => /\.tsx?$/.test(file)).toSorted()
}

/**
 * Inserts a text before the first `end` that comes after `start`.
 * @throws when either is not in the file
 */
export async function insertInto(
  file: string,
  { start, end, text }: { start: string; end: string; text: string },
): Promise<void> {
  const before = await readFile(file, 'utf8')
  const from = before.indexOf(start)
  const at = from === -1 ? -1 : before.indexOf(end, from)
  if (at === -1) throw new Error(`${file} has changed its form`)
  await writeFile(file, before.slice(0, at) + text + before.slice(at))
}
