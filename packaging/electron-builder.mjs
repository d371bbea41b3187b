import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setFuses } from '../scripts/setup/fuses.mjs'
import { writeInstallationList } from './installation-list.mjs'

const bindingTest = 'node_modules/node-llama-cpp/dist/bindings/utils/testBindingBinary.js'

/**
 * The Electron that the launcher found, and the files to pack with it.
 * @typedef {object} Found
 * @property {string} electronDist
 * @property {string} electronVersion
 * @property {boolean} isFallback  whether it is the older Electron of closed networks
 * @property {string | undefined} sqliteBinding only for an Electron that cannot load the one in better-sqlite3
 * @property {string} sbom
 * @property {string | null} updateFeed names the feed of updates; null for a build without updates
 */

/**
 * electron-builder's configuration, for `npm run package`.
 * @param {Found} found
 * @returns {object} its type is `Configuration` of electron-builder, which is installed only for packaging
 */
export function configuration(found) {
  const { electronDist, electronVersion, isFallback, sqliteBinding, sbom, updateFeed } = found
  return {
    appId: 'app.modelport.desktop',
    productName: 'Modelport',
    copyright: 'MIT License',
    // macOS opens only links that Info.plist names, and an AppImage's entry names them from here.
    protocols: [{ name: 'Modelport', schemes: ['modelport'] }],
    directories: { output: 'dist', buildResources: 'packaging/resources' },
    electronDist,
    electronVersion,
    // Native packages come with binaries for Node-API, which are the same for Node.js and Electron.
    npmRebuild: false,
    // The build bundles everything but the native packages.
    files: [
      'out/**',
      'package.json',
      '!**/*.map',
      '!node_modules/better-sqlite3/{deps,src,build}/**',
      '!node_modules/better-sqlite3/prebuilds/!(${platform}-${arch}).node',
      '!node_modules/keytar/{src,build/!(Release)}/**',
      '!node_modules/keytar/build/Release/obj.target/**',
      '!node_modules/node-llama-cpp/llama/**',
      'node_modules/node-llama-cpp/llama/*.json',
      '!node_modules/@node-llama-cpp/!(${os}-${arch}*)/**',
      '!node_modules/{cmake-js,node-addon-api}/**',
      `!${bindingTest}`,
      { from: 'packaging/replaced/node-llama-cpp', to: dirname(bindingTest) },
    ],
    asar: true,
    // Shared libraries are loaded by the system, which cannot read inside an archive.
    asarUnpack: ['**/*.node', 'node_modules/node-llama-cpp/**', 'node_modules/@node-llama-cpp/**'],
    extraResources: [
      { from: 'LICENSE', to: 'LICENSE' },
      { from: 'THIRD-PARTY-NOTICES.md', to: 'THIRD-PARTY-NOTICES.md' },
      { from: sbom, to: 'sbom.cdx.json' },
      ...(updateFeed ? [{ from: updateFeed, to: 'app-update.yml' }] : []),
      ...(sqliteBinding ? [{ from: sqliteBinding, to: 'better-sqlite3.node' }] : []),
    ],
    ...systems(),
    publish: null,
    // Runs before the app is signed: changing a fuse later would break the signature.
    /** @param {Packed} packed */
    afterPack: async (packed) => {
      await removeDefaultApp(packed.appOutDir)
      await setFuses(programOf(packed), { isFallback })
      await writeInstallationList(resourcesOf(packed))
    },
  }
}

/** The configuration that differs between systems. */
function systems() {
  return {
    linux: {
      extraFiles: [{ from: 'packaging/linux/modelport', to: 'bin/modelport' }],
      category: 'Development',
      executableName: 'modelport',
      synopsis: 'One local port in front of all your language models',
      maintainer: 'Modelport maintainers',
      target: ['dir'],
    },
    mac: {
      category: 'public.app-category.developer-tools',
      target: [{ target: 'dmg', arch: 'universal' }],
      hardenedRuntime: true,
      gatekeeperAssess: false,
      notarize: Boolean(process.env['APPLE_TEAM_ID']),
    },
    win: { target: 'nsis' },
    nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true },
  }
}

/**
 * What electron-builder passes to `afterPack`.
 * @typedef {object} Packed
 * @property {string} appOutDir
 * @property {string} electronPlatformName
 * @property {{ executableName?: string, appInfo: { productFilename: string } }} packager `executableName` only on Linux
 */

/** @param {Packed} packed */
function resourcesOf(packed) {
  const isOnMac = packed.electronPlatformName === 'darwin'
  return isOnMac
    ? join(programOf(packed), 'Contents/Resources')
    : join(packed.appOutDir, 'resources')
}

/** @param {Packed} packed */
export function programOf({ appOutDir, electronPlatformName, packager }) {
  const { executableName, appInfo } = packager
  if (electronPlatformName === 'linux') return join(appOutDir, executableName ?? '')
  const extension = electronPlatformName === 'win32' ? '.exe' : '.app'
  return join(appOutDir, `${appInfo.productFilename}${extension}`)
}

/**
 * An Electron for development brings an app that runs any folder, and the fallback a snapshot that it does not use.
 * @param {string} appOutDir
 */
async function removeDefaultApp(appOutDir) {
  await rm(join(appOutDir, 'resources', 'default_app.asar'), { force: true })
  await rm(join(appOutDir, 'browser_v8_context_snapshot.bin'), { force: true })
}
