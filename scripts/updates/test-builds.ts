/** Builds of several versions from one packaged app: the same files and fuses, another version, and a driver. */
import { createPackageWithOptions, extractAll } from '@electron/asar'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFeedSource } from '../../packaging/update-feed.mjs'
import { SetupError } from '../setup/progress.mjs'

export interface TestBuild {
  version: string
  /** Whether this version has one migration more than the packaged app. */
  hasMigration: boolean
}

export interface BuildSource {
  /** The unpacked app that packaging made. */
  unpackedDir: string
  feed: { url: string; publicKey: string }
}

/** The schema of a build with a migration of its own. */
export const addedSchema = 99_990

export async function makeTestBuild(
  folder: string,
  build: TestBuild,
  { unpackedDir, feed }: BuildSource,
): Promise<void> {
  await cp(unpackedDir, folder, { recursive: true, verbatimSymlinks: true })
  const resources = join(folder, 'resources')
  const archive = join(resources, 'app.asar')
  const content = await mkdtemp(join(tmpdir(), 'modelport-app-'))
  try {
    extractAll(archive, content)
    await changeVersion(content, build.version)
    await cp(join(import.meta.dirname, 'driver.mjs'), join(content, 'driver.mjs'))
    if (build.hasMigration) await addMigration(join(content, 'out', 'main'))
    await rm(`${archive}.unpacked`, { recursive: true })
    const unpackDir = '{**/node_modules/node-llama-cpp/**,**/node_modules/@node-llama-cpp/**}'
    await createPackageWithOptions(content, archive, { unpack: '**/*.node', unpackDir })
  } finally {
    await rm(content, { recursive: true })
  }
  await writeFeedSource(resources, feed)
}

async function changeVersion(content: string, version: string): Promise<void> {
  const file = join(content, 'package.json')
  const manifest: unknown = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(
    file,
    JSON.stringify(Object.assign({}, manifest, { version, main: 'driver.mjs' })),
  )
}

/** Adds a migration to the built code, because both versions come from one build. */
async function addMigration(outDir: string): Promise<void> {
  const list = /(sqlite\/migrations\/index\.ts\nvar migrations = \[[^]*?\})\s*\];/
  const added = `{ version: ${addedSchema}, sql: 'CREATE TABLE of_the_newer_version (id TEXT)' }];`
  for (const name of await readdir(outDir)) {
    const file = join(outDir, name)
    const code = name.endsWith('.js') ? await readFile(file, 'utf8') : ''
    if (!list.test(code)) continue
    await writeFile(file, code.replace(list, `$1, ${added}`))
    return
  }
  throw new SetupError('The list of migrations was not found in the built code.')
}
