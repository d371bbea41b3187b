/**
 * Draws the parts of `src` and their imports: `npm run structure` writes docs/structure.svg. It fails when parts import
 * each other. test/rules/structure.test.ts compares the file with what this writes.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { drawStructure } from './structure/draw-structure.ts'
import { readImports } from './structure/read-imports.ts'

const root = path.resolve(import.meta.dirname, '..')
writeFileSync(path.join(root, 'docs/structure.svg'), drawStructure(readImports(root)))
