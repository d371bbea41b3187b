/** Builds the packages of `npm run package`, on Node 24 and with the packages of both lockfiles installed. */
import { createRequire } from 'node:module'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { repositoryDir } from '../scripts/setup/paths.mjs'
import { runLauncher, SetupError, step } from '../scripts/setup/progress.mjs'
import { shippedPackages } from '../scripts/third-party-notices.mjs'
import { configuration } from './electron-builder.mjs'
import { buildHeadlessPackage } from './headless-package.mjs'
import { buildArchive, buildDeb, buildRpm } from './linux-packages.mjs'
import { composeSbom } from './sbom.mjs'
import { writeFeedSource } from './update-feed.mjs'

const outDir = join(repositoryDir, 'dist')

/** Built by our own scripts from the unpacked app. */
const ownTargets = new Map([
  ['tar.gz', buildArchive],
  ['deb', buildDeb],
  ['rpm', buildRpm],
  ['npm', buildHeadlessPackage],
])

await runLauncher(async () => {
  const { wanted, found } = JSON.parse(process.argv[2] ?? '')
  await step('Packages', () => build(wanted, found))
  return 0
})

/**
 * @param {readonly string[]} wanted
 * @param {Omit<import('./electron-builder.mjs').Found, 'sbom' | 'updateFeed'>} found
 */
async function build(wanted, found) {
  await rm(outDir, { recursive: true, force: true })
  await mkdir(outDir)
  const { name, version } = JSON.parse(await readFile(join(repositoryDir, 'package.json'), 'utf8'))
  const sbom = join(outDir, 'sbom.cdx.json')
  const bill = composeSbom({ name, version, packages: shippedPackages() })
  await writeFile(sbom, `${JSON.stringify(bill, null, 2)}\n`)
  /** @type {{ build(options: object): Promise<string[]>, Platform: { current(): { createTarget(names: string[]): unknown } } }} */
  const builder = createRequire(import.meta.url)('electron-builder')
  const built = await builder.build({
    projectDir: repositoryDir,
    config: configuration({ ...found, sbom, updateFeed: await updateFeed() }),
    targets: builder.Platform.current().createTarget([
      'dir',
      ...wanted.filter((one) => !ownTargets.has(one)),
    ]),
  })
  const unpacked = { unpackedDir: join(outDir, 'linux-unpacked'), version, outDir }
  const files = [...built]
  for (const [target, buildOwn] of ownTargets)
    if (wanted.includes(target)) files.push(await buildOwn(unpacked))
  const names = [...new Set(files)].map((file) => basename(file))
  return { value: undefined, detail: `Packages in dist/: ${names.join(', ')}` }
}

/** Null for a build without updates: nobody else's feed may be the default. */
async function updateFeed() {
  const url = process.env['MODELPORT_UPDATE_FEED']
  const publicKey = process.env['MODELPORT_UPDATE_PUBLIC_KEY']
  if (!url && !publicKey) return null
  if (!url || !publicKey)
    throw new SetupError('Updates need an address and a key.', {
      wayOut: 'set MODELPORT_UPDATE_FEED and MODELPORT_UPDATE_PUBLIC_KEY, or neither.',
    })
  return writeFeedSource(outDir, { url, publicKey })
}
