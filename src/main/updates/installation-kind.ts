/** How this app was installed, which decides who installs its updates. */
import { join } from 'node:path'

export type InstallationKind = 'folder' | 'deb' | 'rpm' | 'appimage' | 'mac' | 'windows'

/** The package of each kind in the feed. */
export const extensions: Readonly<Record<InstallationKind, string>> = {
  folder: '.tar.gz',
  deb: '.deb',
  rpm: '.rpm',
  appimage: '.AppImage',
  mac: '.zip',
  windows: '.exe',
}

export interface InstallationFacts {
  platform: NodeJS.Platform
  /** The file of the AppImage that this app runs from; null for none. */
  appImage: string | null
  /** The content of `resources/package-type`, which packages for package managers have. */
  packageType: string | null
}

export function installationKind({
  platform,
  appImage,
  packageType,
}: InstallationFacts): InstallationKind {
  if (platform === 'darwin') return 'mac'
  if (platform === 'win32') return 'windows'
  if (packageType === 'deb' || packageType === 'rpm') return packageType
  return appImage === null ? 'folder' : 'appimage'
}

/**
 * The file of the AppImage that this app runs from; null for none. A program that another AppImage starts, such as a
 * terminal, inherits that one's variables, but its own binary is not in that one's folder.
 */
export function ownAppImage(
  env: Readonly<Record<string, string | undefined>>,
  execPath: string,
): string | null {
  const { APPIMAGE: file, APPDIR: folder } = env
  const isOwn = folder !== undefined && execPath.startsWith(join(folder, '/'))
  return isOwn ? (file ?? null) : null
}
