/** The table “Who may import whom” of ARCHITECTURE.md: it stands there once, for people and for the linter. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One row: a folder, or a file at the service's root. */
export interface Part {
  /** As in the first column: `http`, `errors.ts`. */
  name: string
  /** From `src/`: a folder with a slash at its end, or a file. */
  path: string
  /** From `src/`, written the same way. */
  imports: readonly string[]
  /** Packages, with everything below their names; `node:` means all of Node. */
  packages: readonly string[]
}

const outsideOfTheService = new Set(['shared', 'main', 'preload', 'renderer'])

export const parts = readTable(
  readFileSync(join(import.meta.dirname, '..', 'ARCHITECTURE.md'), 'utf8'),
)

function readTable(text: string): readonly Part[] {
  const [, table = ''] = text.split('## Who may import whom')
  const rows = table.split('\n\n', 2)[1]?.split('\n').slice(2) ?? []
  return rows.map((row) => {
    const [, name = '', imports = '', packages = ''] = row.split('|').map((cell) => cell.trim())
    return {
      name,
      path: pathOf(name),
      imports: list(imports).map(pathOf),
      packages: list(packages),
    }
  })
}

function list(cell: string): string[] {
  return cell.split(', ').filter(Boolean)
}

function pathOf(name: string): string {
  const [folder = ''] = name.split('/')
  const path = outsideOfTheService.has(folder) ? name : `service/${name}`
  return name.endsWith('.ts') ? path : `${path}/`
}
