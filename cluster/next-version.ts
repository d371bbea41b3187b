/** The program with one more migration of PostgreSQL, built beside this one. */
import { execFileSync } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { copyTree, root } from '../test/rules/tree-copy.ts'

const stepsFile = 'src/service/storage/sql/schema-steps.ts'

export interface NextVersion {
  /** Path of its built program. */
  program: string
  remove(): Promise<void>
}

/** The version of its last migration. */
export const nextSchema = 900_000

/** Changes the table that every request is written to, as a later version may. */
const migration = `
  {
    version: ${nextSchema},
    readableFrom: 10,
    sqlite: '',
    postgres: 'ALTER TABLE requests ADD COLUMN of_next_version TEXT; CREATE INDEX requests_of_next_version ON requests (of_next_version) WHERE of_next_version IS NOT NULL',
  },
`

/** The end of the list of steps, with which the file ends. */
const endOfList = /,?\s*\]\s*$/

export async function buildNextVersion(): Promise<NextVersion> {
  const copy = await copyTree()
  const file = join(copy.folder, stepsFile)
  const text = await readFile(file, 'utf8')
  const changed = text.replace(endOfList, `,${migration}]`)
  if (changed === text) throw new Error(`${stepsFile} does not end with the list of steps`)
  await writeFile(file, changed)
  const configuration = 'electron.vite.config.ts'
  await cp(join(root, configuration), join(copy.folder, configuration))
  const builder = join('node_modules', 'electron-vite', 'bin', 'electron-vite.js')
  execFileSync(process.execPath, [builder, 'build'], { cwd: copy.folder, stdio: 'pipe' })
  return { program: join(copy.folder, 'out', 'main', 'headless.js'), remove: copy.remove }
}
