/**
 * Writes THIRD-PARTY-NOTICES.md: the licence of every package that is in the built program, from the
 * lockfile. Run it after a dependency changed (`node scripts/third-party-notices.mjs`); a test
 * compares the file with what this would write.
 *
 * In the program are the native packages (`dependencies`), which are shipped as they are, and what
 * `src/` imports, which is bundled; both with everything they depend on. Packages for one platform
 * only are named in a sentence: which of them npm installs differs between machines.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
export const noticesFile = path.join(root, 'THIRD-PARTY-NOTICES.md')

/**
 * @typedef {{ name?: string, version: string, license?: string, os?: string[], cpu?: string[],
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} LockedPackage
 */

/** Takes the place of packages that `overrides` in package.json leaves out. */
const standIn = 'empty-npm-package'

/** The sources of training/ratings.json, as it names them, each with its date. */
function ratingRows() {
  const ratings = readFileSync(path.join(root, 'training/ratings.json'), 'utf8')
  return [
    ...namesOf(ratings.match(/LMArena [^";]+/g)).map((name) => [
      'Ratings of models (derived)',
      name,
      'CC BY 4.0 as others quote it, to be confirmed (docs/models.md)',
    ]),
    ...namesOf(ratings.match(/LiveBench, [^";]+/g)).map((name) => [
      'Ratings and answer lengths (derived)',
      name,
      'no licence file; derived figures only',
    ]),
  ]
}

/** @param {string[] | null} sources */
function namesOf(sources) {
  return [...new Set(sources)].toSorted(compare).toReversed()
}

/** Facts in resources/ and where they are from: none of it is a package of the program. */
const data = [
  ['Prices', '@pydantic/genai-prices', 'MIT, Copyright (c) Pydantic Services Inc.'],
  ['Capabilities, limits', 'llm-zoo; models.dev', 'MIT'],
  ...ratingRows(),
  ['Sizes and speed of models', 'EcoLogits', 'MPL-2.0 (data), CC BY-SA 4.0 (method)'],
  ['Energy measurements', 'ML.ENERGY Leaderboard', 'Apache-2.0'],
  ['Grid intensities (resources/grid.json)', 'Ember, as in @tgwf/co2', 'CC BY-SA 4.0'],
]

/** @returns {string} the whole file */
export function composeNotices() {
  const { shipped, forOnePlatform } = collectShipped(lockedPackages())
  const rows = shipped.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`)
  const texts = groupTexts(shipped).map(
    ({ names, text }) => `## ${names.join(', ')}\n\n\`\`\`text\n${text}\n\`\`\``,
  )
  const sections = [
    '# Third-party notices',
    'Written by `scripts/third-party-notices.mjs`; do not edit. Modelport contains these packages. ' +
      'Electron, which it runs in, brings its own `LICENSE` and `LICENSES.chromium.html`.',
    'Packages for one platform only come under the licence of the package they belong to: ' +
      `${forOnePlatform.join(', ')}.`,
    ['| Package | Version | Licence |', '|---|---|---|', ...rows].join('\n'),
    'What it knows of models and grids is taken from these collections, changed in form; `resources/` ' +
      'names the source and date of each fact.',
    ['| Facts | From | Licence |', '|---|---|---|', ...data.map(tableRow)].join('\n'),
    ...texts,
  ]
  return `${sections.join('\n\n')}\n`
}

/** The packages of the program, sorted by name. @returns {Shipped[]} */
export function shippedPackages() {
  return collectShipped(lockedPackages()).shipped
}

/** @returns {Record<string, LockedPackage>} */
function lockedPackages() {
  return JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages
}

/** @param {string[]} cells */
function tableRow(cells) {
  return `| ${cells.join(' | ')} |`
}

/**
 * @typedef {{ name: string, version: string, license: string, text: string | null }} Shipped
 * @param {Record<string, LockedPackage>} packages
 * @returns {{ shipped: Shipped[], forOnePlatform: string[] }} sorted by name
 */
function collectShipped(packages) {
  /** @type {Set<string>} */
  const places = new Set()
  const pending = shippedRoots(packages).map((name) => `node_modules/${name}`)
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const locked = packages[place]
    if (!locked || locked.name === standIn || places.has(place)) continue
    places.add(place)
    const names = Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })
    pending.push(...names.map((name) => resolvePlace(packages, place, name)))
  }
  const all = [...places].map((place) => describe(place, packages))
  const sorted = all.toSorted((a, b) => compare(labelOf(a), labelOf(b)))
  return {
    shipped: sorted.filter(({ isForOnePlatform }) => !isForOnePlatform),
    forOnePlatform: sorted.filter(({ isForOnePlatform }) => isForOnePlatform).map(labelOf),
  }
}

/** @param {Record<string, LockedPackage>} packages */
function shippedRoots(packages) {
  const imported = sourceFiles(path.join(root, 'src')).flatMap(importedPackages)
  const native = Object.keys(packages['']?.dependencies ?? {})
  return [...new Set([...imported, ...native])].filter((name) => name !== 'electron')
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourceFiles(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|css)$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => path.join(folder, file))
}

/** @param {string} file */
function importedPackages(file) {
  const code = readFileSync(file, 'utf8')
    // Types are not in the built program.
    .replaceAll(/^import type [^;]*?from '[^']+'$/gm, '')
    // Snippets for users import packages that the program does not.
    .replaceAll(/\btext: (?:\(connection\) =>\s+)?`[^`]*`/g, '')
  const specifiers = code.matchAll(
    /(?:from|import|@import)\s*\(?\s*'([^'.][^']*)'|@import\s+"([^".][^"]*)"/g,
  )
  return [...specifiers]
    .map(([, single, double]) => single ?? double ?? '')
    .filter((specifier) => !specifier.startsWith('node:'))
    .map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    )
}

/**
 * Node's own search: beside the dependent first, then one level up each time.
 * @param {Record<string, LockedPackage>} packages
 * @param {string} from
 * @param {string} name
 */
function resolvePlace(packages, from, name) {
  let folder = from
  while (folder !== '') {
    const place = `${folder}/node_modules/${name}`
    if (place in packages) return place
    folder = folder.includes('/node_modules/')
      ? folder.slice(0, folder.lastIndexOf('/node_modules/'))
      : ''
  }
  return `node_modules/${name}`
}

/**
 * @param {string} place
 * @param {Record<string, LockedPackage>} packages
 * @returns {Shipped & { isForOnePlatform: boolean }}
 */
function describe(place, packages) {
  const { version = '', license = 'not stated', os, cpu } = packages[place] ?? {}
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const text = licenceText(path.join(root, place))
  return { name, version, license, text, isForOnePlatform: Boolean(os ?? cpu) }
}

/** @param {string} folder */
function licenceText(folder) {
  if (!existsSync(folder)) return null
  const file = readdirSync(folder)
    .toSorted(compare)
    .find((name) => /^(licen[cs]e|copying)/i.test(name))
  if (!file) return null
  return readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()
}

/**
 * One section per text; many packages share one to the letter.
 * @param {Shipped[]} shipped
 */
function groupTexts(shipped) {
  /** @type {Map<string, string[]>} */
  const namesByText = new Map()
  for (const entry of shipped) {
    if (entry.text === null) continue
    namesByText.set(entry.text, [...(namesByText.get(entry.text) ?? []), labelOf(entry)])
  }
  return [...namesByText].map(([text, names]) => ({ text, names: [...new Set(names)] }))
}

/** @param {Shipped} shipped */
function labelOf({ name, version }) {
  return `${name} ${version}`
}

/** @param {string} a @param {string} b */
function compare(a, b) {
  if (a === b) return 0
  return a < b ? -1 : 1
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(noticesFile, composeNotices())
  console.log(`${path.basename(noticesFile)} written`)
}
