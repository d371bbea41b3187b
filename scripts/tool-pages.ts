/**
 * Writes docs/tools/ from the registry of tools (`node scripts/tool-pages.ts`): a page per tool and an index. A test
 * compares the folder with what this writes.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { toolPages } from './tool-pages/pages.ts'

const folder = path.resolve(import.meta.dirname, '../docs/tools')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const [name, text] of toolPages()) writeFileSync(path.join(folder, name), text)
