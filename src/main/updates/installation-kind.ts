/** How this app was installed, which decides who installs its updates. */

export type InstallationKind = 'folder' | 'deb' | 'rpm' | 'pacman' | 'appimage' | 'mac' | 'windows'

/** The package of each kind in the feed. */
export const extensions: Readonly<Record<InstallationKind, string>> = {
  folder: '.tar.gz',
  deb: '.deb',
  rpm: '.rpm',
  pacman: '.pacman',
  appimage: '.AppImage',
  mac: '.zip',
  windows: '.exe',
}

export interface InstallationFacts {
  platform: NodeJS.Platform
  /** Set by an AppImage. */
  appImage: string | undefined
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
  if (packageType === 'deb' || packageType === 'rpm' || packageType === 'pacman') return packageType
  return appImage === undefined ? 'folder' : 'appimage'
}
