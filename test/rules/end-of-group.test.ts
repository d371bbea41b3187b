import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test('no beforeAll registers an afterAll, which would never run', () => {
  const files = globSync('{src,test,sdk/test,torture,cluster}/**/*.ts', { cwd: root })
  const blocks = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    // The formatter closes a block at the column where it opens.
    const found = source.matchAll(/^( *)beforeAll\(.*\{\n[\s\S]*?^\1\}\)/gm)
    return [...found].map(([block]) => ({ file, block }))
  })
  const registering = blocks.filter(({ block }) => /\bafterAll\b/.test(block))

  expect(blocks.length).toBeGreaterThan(30)
  expect(registering.map(({ file }) => file)).toEqual([])
})
