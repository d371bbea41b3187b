/** docs/structure.svg shows the imports of today, and no part imports one above it. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { drawStructure } from '../../scripts/structure/draw-structure.ts'
import { layersOf, readImports } from '../../scripts/structure/read-imports.ts'
import { root } from './tree-copy.ts'

test('the drawing shows the imports of today; `npm run structure` writes it', () => {
  const drawn = readFileSync(path.join(root, 'docs/structure.svg'), 'utf8')
  expect(drawn).toBe(drawStructure(readImports(root)))
})

test('parts that import each other are named', () => {
  const circle = new Map([
    ['chat', new Set(['routing'])],
    ['routing', new Set(['storage', 'chat'])],
    ['storage', new Set<string>()],
  ])
  expect(() => layersOf(circle)).toThrow('these parts import each other: chat, routing')
})
