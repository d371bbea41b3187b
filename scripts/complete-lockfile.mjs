// `npm run lockfile`, after every `npm install` that changed package-lock.json.
//
// npm leaves an optional package out of the lockfile if the registry does not have it (a company's mirror often has
// only its own platform's binaries). npm 11 then refuses to `npm ci` from that lockfile, and npm 10 installs without
// the binary on the platform that needs it. This script adds the missing packages with the exact version that their
// parent requires. Their hashes are unknown here, so npm verifies them on those other platforms only, with the
// registry's own hash.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addMissingPlatforms } from './lockfile-platforms.mjs'
import { repositoryDir } from './setup/paths.mjs'
import { print } from './setup/progress.mjs'

const file = join(repositoryDir, 'package-lock.json')
// npm's own file, format 3.
const lockfile = /** @type {import('./lockfile-platforms.mjs').Lockfile} */ (
  JSON.parse(await readFile(file, 'utf8'))
)
const added = addMissingPlatforms(lockfile)
if (added.length > 0) await writeFile(file, `${JSON.stringify(lockfile, null, 2)}\n`)
print(`package-lock.json: added ${added.length} packages of other platforms`)
