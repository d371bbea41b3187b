/** Builds the package: ES modules in dist/esm, CommonJS in dist/cjs, each with its types. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const folder = import.meta.dirname
const compiler = path.join(
  path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
)

/** Chosen by the runtime or bundler, so that nothing of Node is in a browser's bundle. */
const imports = {
  '#transport': {
    browser: './transport/web.js',
    node: './transport/node.js',
    default: './transport/web.js',
  },
}

rmSync(path.join(folder, 'dist'), { recursive: true, force: true })
for (const [form, type] of Object.entries({ esm: 'module', cjs: 'commonjs' })) {
  execFileSync(process.execPath, [compiler, '-p', path.join(folder, `tsconfig.${form}.json`)], {
    stdio: 'inherit',
  })
  const built = path.join(folder, 'dist', form)
  nameBuiltFiles(built)
  writeFileSync(
    path.join(built, 'package.json'),
    `${JSON.stringify({ type, sideEffects: false, imports }, null, 2)}\n`,
  )
}

/**
 * Declarations keep the sources' `.ts` in their imports; older compilers do not find the built files by it.
 * @param {string} built
 */
function nameBuiltFiles(built) {
  for (const name of readdirSync(built, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const file = path.join(built, name)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replaceAll(/(from '\.\.?\/[^']+)\.ts'/g, "$1.js'"))
  }
}
