/**
 * Builds the .tar.gz, the .deb and the .rpm of an unpacked app with the system's own `tar`, `dpkg-deb` and `rpmbuild`,
 * because electron-builder downloads other programs for them. Two builds of the same app give the same file.
 */
import { chmod, cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { runCommand } from '../scripts/setup/run-command.mjs'
import { repositoryDir } from '../scripts/setup/paths.mjs'

/**
 * The libraries that Electron and keytar are linked with or load later, and what opens links. `a | b`: names of
 * different releases.
 */
const depends = [
  'libgtk-3-0 | libgtk-3-0t64',
  'libnss3',
  'libasound2 | libasound2t64',
  'libgbm1',
  'libsecret-1-0',
  'libnotify4',
  'libx11-xcb1',
  'xdg-utils',
]

/** Without a git checkout. */
const fixedDate = '1767225600'

/**
 * The date of every file in a package, in seconds since 1970: the commit's, so that every build of it gives the same file.
 * @see https://reproducible-builds.org/docs/source-date-epoch/
 */
export async function sourceDate(folder = repositoryDir) {
  const given = process.env['SOURCE_DATE_EPOCH']
  if (given) return given
  try {
    const args = ['log', '-1', '--format=%ct']
    return (await runCommand({ command: 'git', args, cwd: folder })).trim()
  } catch {
    return fixedDate
  }
}

const desktopEntry = `[Desktop Entry]
Name=Modelport
Comment=One local port in front of all your language models
Exec=/opt/Modelport/modelport %U
Icon=modelport
Terminal=false
Type=Application
Categories=Development;
StartupWMClass=Modelport
MimeType=x-scheme-handler/modelport;
`

/**
 * @typedef {{ unpackedDir: string, version: string, outDir: string }} Unpacked
 * @param {Unpacked} unpacked
 * @returns {Promise<string>} the archive's path
 */
export async function buildArchive({ unpackedDir, version, outDir }) {
  const name = `modelport-${version}`
  const file = join(outDir, `${name}-linux-${process.arch}.tar.gz`)
  await runCommand({
    command: 'tar',
    args: [
      '--create',
      '--use-compress-program=gzip --no-name',
      `--file=${file}`,
      '--sort=name',
      `--mtime=@${await sourceDate()}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      `--transform=s,^\\.,${name},`,
      '--directory',
      unpackedDir,
      '.',
    ],
  })
  return file
}

/**
 * @param {Unpacked} unpacked
 * @returns {Promise<string>} the package's path
 */
export async function buildDeb({ unpackedDir, version, outDir }) {
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
  const root = join(outDir, 'deb-root')
  await rm(root, { recursive: true, force: true })
  await install(root, { unpackedDir, type: 'deb' })
  await mkdir(join(root, 'DEBIAN'))
  await writeFile(join(root, 'DEBIAN', 'control'), control(version, architecture))
  const file = join(outDir, `modelport_${version}_${architecture}.deb`)
  await runCommand({
    command: 'dpkg-deb',
    // Every dpkg since Debian 12 reads zstd, which takes a tenth of the time of xz. One thread: the same file anywhere.
    args: ['--root-owner-group', '--threads-max=1', '-Zzstd', '-z9', '--build', root, file],
    env: { ...process.env, SOURCE_DATE_EPOCH: await sourceDate() },
  })
  await rm(root, { recursive: true })
  return file
}

/**
 * @param {Unpacked} unpacked
 * @returns {Promise<string>} the package's path
 */
export async function buildRpm({ unpackedDir, version, outDir }) {
  const work = join(outDir, 'rpm-work')
  await rm(work, { recursive: true, force: true })
  const files = join(work, 'files')
  await install(files, { unpackedDir, type: 'rpm' })
  const spec = join(work, 'modelport.spec')
  await writeFile(spec, rpmSpec(version, files))
  const architecture = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  const name = `modelport-${version}.${architecture}.rpm`
  const settings = {
    _topdir: work,
    _rpmdir: outDir,
    _rpmfilename: name,
    _binary_payload: 'w9.zstdio',
    _buildhost: 'localhost',
    use_source_date_epoch_as_buildtime: '1',
    clamp_mtime_to_source_date_epoch: '1',
  }
  const defines = Object.entries(settings).map(([key, value]) => `--define=${key} ${value}`)
  await runCommand({
    command: 'rpmbuild',
    args: ['-bb', '--quiet', `--target=${architecture}`, ...defines, spec],
    env: { ...process.env, SOURCE_DATE_EPOCH: await sourceDate() },
  })
  await rm(work, { recursive: true })
  return join(outDir, name)
}

/** @param {string} root @param {{ unpackedDir: string, type: 'deb' | 'rpm' }} source */
async function install(root, { unpackedDir, type }) {
  const program = join(root, 'opt', 'Modelport')
  await cp(unpackedDir, program, { recursive: true })
  // Tells the app that updates are for the package manager.
  await writeFile(join(program, 'resources', 'package-type'), type)
  // For kernels that give ordinary users no namespaces. As root, because the package's files are root's.
  await chmod(join(program, 'chrome-sandbox'), 0o4755)
  await mkdir(join(root, 'usr', 'bin'), { recursive: true })
  await symlink('/opt/Modelport/modelport', join(root, 'usr', 'bin', 'modelport-desktop'))
  await symlink('/opt/Modelport/bin/modelport', join(root, 'usr', 'bin', 'modelport'))
  await place(join(root, 'usr', 'share', 'applications'), 'modelport.desktop', desktopEntry)
  await installIcons(join(root, 'usr', 'share', 'icons', 'hicolor'))
  const documents = join(root, 'usr', 'share', 'doc', 'modelport')
  await mkdir(documents, { recursive: true })
  await cp(join(repositoryDir, 'LICENSE'), join(documents, 'copyright'))
}

/** @param {string} theme  its folder */
async function installIcons(theme) {
  const resources = join(repositoryDir, 'packaging', 'resources')
  const sizes = (await readdir(join(resources, 'icons'))).map((file) => basename(file, '.png'))
  const icons = [
    ...sizes.map((size) => [size, join(resources, 'icons', `${size}.png`)]),
    ['512x512', join(resources, 'icon.png')],
    ['scalable', join(resources, 'icon.svg')],
  ]
  for (const [size = '', file = ''] of icons) {
    const folder = join(theme, size, 'apps')
    await mkdir(folder, { recursive: true })
    await cp(file, join(folder, `modelport${extname(file)}`))
  }
}

/** @param {string} folder @param {string} name @param {string} content */
async function place(folder, name, content) {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), content)
}

/** @param {string} version @param {string} architecture */
function control(version, architecture) {
  return `Package: modelport
Version: ${version}
Architecture: ${architecture}
Maintainer: Modelport maintainers <maintainers@modelport.invalid>
Section: devel
Priority: optional
Depends: ${depends.join(', ')}
Recommends: gnome-keyring | kwalletmanager, libgl1
Description: One local port in front of all your language models
 Routers choose a model for each prompt; every answer says which model
 answered, what it cost, how long it took and how much CO2e it caused.
`
}

/** Libraries by the names of their files, which are the same in every distribution. */
const rpmRequires = [
  'libgtk-3.so.0()(64bit)',
  'libnss3.so()(64bit)',
  'libasound.so.2()(64bit)',
  'libgbm.so.1()(64bit)',
  'libsecret-1.so.0()(64bit)',
  'libnotify.so.4()(64bit)',
  'libX11-xcb.so.1()(64bit)',
  'xdg-utils',
]

/** @param {string} version @param {string} files  the folder that becomes the root */
function rpmSpec(version, files) {
  return `%global __os_install_post %{nil}
%global debug_package %{nil}
%global _build_id_links none
Name: modelport
Version: ${version.replaceAll('-', '~')}
Release: 1
Summary: One local port in front of all your language models
License: MIT
AutoReqProv: no
Requires: ${rpmRequires.join(', ')}

%description
Routers choose a model for each prompt; every answer says which model
answered, what it cost, how long it took and how much CO2e it caused.

%install
cp -a "${files}/." "%{buildroot}/"

%files
%defattr(-,root,root,-)
/opt/Modelport
/usr/bin/modelport
/usr/bin/modelport-desktop
/usr/share/applications/modelport.desktop
/usr/share/doc/modelport
/usr/share/icons/hicolor/*/apps/modelport.*
`
}
