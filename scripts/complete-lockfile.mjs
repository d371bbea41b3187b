// `npm run lockfile`, after every `npm install` that changed package-lock.json.
//
// npm leaves an optional package out of the lockfile when the registry it asked does not have it (a company's mirror
// often holds only its own platform's binaries). npm 11 then refuses to `npm ci` from that lockfile, and npm 10
// installs without the binary on the platform that needs it. This adds what is missing, with the exact version that
// its parent asks for. The hash is not known here, so npm verifies these, on those other platforms only, by the
// registry's own word.
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
