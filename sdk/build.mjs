/** Builds the package: `dist/*.js` are ES modules, `dist/*.cjs` CommonJS, each with its declarations. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const folder = import.meta.dirname
const target = path.join(folder, 'dist')
// Replaced at the end, because programs may be using the last build.
const built = `${target}-${process.pid}`
const compiler = path.join(
  path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
)

try {
  // CommonJS first: both forms are compiled to the same names, and the first is renamed.
  for (const [form, extension] of Object.entries({ cjs: 'cjs', esm: 'js' })) {
    const options = ['-p', path.join(folder, `tsconfig.${form}.json`), '--outDir', built]
    execFileSync(process.execPath, [compiler, ...options], { stdio: 'inherit' })
    nameFiles(extension)
  }
  rmSync(target, { recursive: true, force: true })
  renameSync(built, target)
} finally {
  rmSync(built, { recursive: true, force: true })
}

/**
 * Gives new files their extension, also where they import each other: declarations keep the sources' `.ts`, which
 * older compilers do not find.
 * @param {string} extension
 */
function nameFiles(extension) {
  const declaration = `.d.${extension.replace('j', 't')}`
  for (const name of readdirSync(built, { recursive: true, encoding: 'utf8' })) {
    if (!/(?<!\.d)\.(js|d\.ts)$/.test(name)) continue
    const file = path.join(built, name)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replaceAll(/(["']\.\.?\/[^"']+)\.[jt]s(["'])/g, `$1.${extension}$2`))
    renameSync(
      file,
      file.replace(/\.d\.ts$/, declaration).replace(/(?<!\.d)\.js$/, `.${extension}`),
    )
  }
}
