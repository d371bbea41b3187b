/** The launchers install the packages, so they must start without any, on the machine's own Node.js. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** What a script loads besides Node.js and JavaScript files, with everything that it imports. */
function foreignImports(script: string, seen = new Set<string>()): string[] {
  if (seen.has(script)) return []
  seen.add(script)
  const source = readFileSync(script, 'utf8')
  const imported = [
    ...source.matchAll(/^(?:import|export)\s(?:[\w*{}\s,]+?\sfrom\s)?'([^']+)'/gm),
  ].map(([, name = '']) => name)
  return imported.flatMap((name) => {
    if (name.startsWith('node:')) return []
    const isOurs = name.startsWith('.') && name.endsWith('.mjs')
    return isOurs ? foreignImports(join(dirname(script), name), seen) : [`${script}: ${name}`]
  })
}

test.each(['start', 'test', 'e2e', 'package'])(
  'npm %s needs no installed package to start',
  (name) => {
    expect(foreignImports(`scripts/${name}.mjs`)).toEqual([])
  },
)
