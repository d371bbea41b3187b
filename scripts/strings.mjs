// `npm run strings`: writes the catalogue of the window's texts, src/shared/strings/en.json, from the calls of t() and
// rich() in the source.
import { readFile, writeFile } from 'node:fs/promises'
import { repositoryDir } from './setup/paths.mjs'
import { catalogueFile, readStrings } from './strings/read-strings.mjs'

const { catalogue, problems } = await readStrings(repositoryDir)
for (const problem of problems) process.stderr.write(`${problem}\n`)
const before = await readFile(catalogueFile(repositoryDir), 'utf8').catch(() => '')
if (before !== catalogue) await writeFile(catalogueFile(repositoryDir), catalogue)
process.exitCode = problems.length === 0 ? 0 : 1
