/** A tool's folder for one run: links to what is in the user's, and one file with Modelport's edit. */
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

interface EditedFile {
  /** Path in the user's own folder. */
  path: string
  text: string
  /** Leads the tool to the folder's parent. */
  variable: string
}

export interface RunFolder {
  variables: Readonly<Record<string, string>>
  /** Keeps what the tool saved, except the edited file, and removes the folder. */
  close(): Promise<void>
}

export async function openRunFolder({ path, text, variable }: EditedFile): Promise<RunFolder> {
  const own = dirname(path)
  const place = await mkdtemp(join(tmpdir(), 'modelport-run-'))
  const folder = join(place, basename(own))
  const edited = basename(path)
  await mkdir(own, { recursive: true, mode: 0o700 })
  await mkdir(folder)
  for (const name of await readdir(own)) {
    if (name !== edited) await symlink(join(own, name), join(folder, name))
  }
  await writeFile(join(folder, edited), text)
  return {
    variables: { [variable]: place },
    async close() {
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        const isSaved = !entry.isSymbolicLink() && entry.name !== edited
        const saved = join(own, entry.name)
        if (isSaved) await cp(join(folder, entry.name), saved, { recursive: true })
      }
      await rm(place, { recursive: true })
    },
  }
}
