/** The scripts that install what the project needs must load before anything is installed. */
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const launchers = ['start', 'dev', 'test', 'e2e', 'package']

test.each(launchers)('`scripts/%s.mjs` loads on a fresh clone, without npm packages', (name) => {
  expect([...packagesLoadedBy(join('scripts', `${name}.mjs`))]).toEqual([])
})

/** The npm packages that a script and its own modules import at their start. */
function packagesLoadedBy(script: string): Set<string> {
  const packages = new Set<string>()
  const files = new Set([script])
  for (const file of files) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(staticImport)) {
      if (name.startsWith('.')) files.add(join(dirname(file), name))
      else if (!isBuiltin(name)) packages.add(`${name} (${file})`)
    }
  }
  return packages
}

const staticImport = /^(?:import '|(?:import|export|\}) .*\bfrom '|\} from ')([^']+)'$/gm
