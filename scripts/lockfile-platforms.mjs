/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 *
 * @typedef {{ packages: Record<string, LockedPackage> }} Lockfile npm's lockfile, format 3
 */

/** @type {readonly [RegExp, string][]} */
const systems = [
  [/android/, 'android'],
  [/darwin|\bmac\b/, 'darwin'],
  [/freebsd/, 'freebsd'],
  [/linux/, 'linux'],
  [/openharmony/, 'openharmony'],
  [/win32|\bwin\b/, 'win32'],
]

const processors = ['arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

/**
 * Finds the optional packages that some package asks for and the lockfile does not have.
 * @param {Lockfile} lockfile
 * @returns {{ name: string, version: string, isDev: boolean }[]}
 */
export function findMissingPlatforms({ packages }) {
  return Object.entries(packages).flatMap(([path, parent]) =>
    Object.entries(parent.optionalDependencies ?? {})
      .filter(
        ([name]) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
      )
      .map(([name, version]) => ({ name, version, isDev: parent.dev === true })),
  )
}

/**
 * Adds them, in npm's order, each with the platform that its name tells, so that npm skips it everywhere else.
 * @param {Lockfile} lockfile changed in place
 * @returns {string[]} the names added
 * @throws {Error} when a name contains no processor, or a version is not exact
 */
export function addMissingPlatforms(lockfile) {
  const missing = findMissingPlatforms(lockfile)
  for (const { name, version, isDev } of missing) {
    if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version))
      throw new Error(`${name}: ${version} is not an exact version`)
    lockfile.packages[`node_modules/${name}`] = {
      version,
      ...readPlatform(name),
      ...(isDev ? { dev: true } : {}),
      optional: true,
    }
  }
  const sorted = Object.entries(lockfile.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  lockfile.packages = Object.fromEntries(sorted)
  return missing.map(({ name }) => name)
}

/** @param {string} name */
function readPlatform(name) {
  const words = name.split(/[-/]/)
  const cpu = processors.find((processor) => words.includes(processor))
  if (cpu === undefined) throw new Error(`the name ${name} contains no processor`)
  const os = systems.find(([pattern]) => pattern.test(name))?.[1]
  return { cpu: [cpu], ...(os === undefined ? {} : { os: [os] }), ...readLibc(name) }
}

/** @param {string} name */
function readLibc(name) {
  if (/musl/.test(name)) return { libc: ['musl'] }
  return /linux.*-gnu/.test(name) ? { libc: ['glibc'] } : {}
}
