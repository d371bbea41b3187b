/** What `npm run package` decides, without building: `npm run package:check` tests the built app. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FuseV1Options } from '@electron/fuses'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { configuration, programOf } from '../../packaging/electron-builder.mjs'
import { readFuses, setFuses } from '../../scripts/setup/fuses.mjs'
import { sourceDate } from '../../packaging/linux-packages.mjs'
import { composeSbom } from '../../packaging/sbom.mjs'
import { feedName, newUpdateKey, publicKeyOf, writeFeed } from '../../packaging/update-feed.mjs'
import { readSignedFeed } from '../../src/main/updates/signed-feed.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import fuses from '../../resources/fuses.json' with { type: 'json' }
import { readContainerfile } from '../../scripts/package-check/containerfile.mjs'
import { shippedPackages } from '../../scripts/third-party-notices.mjs'

const found = {
  electronDist: '',
  electronVersion: '45.0.0',
  isFallback: false,
  sqliteBinding: undefined,
  sbom: '',
  updateFeed: null,
}

describe('fuses', () => {
  const release = { isFallback: false }
  const fallback = { isFallback: true }
  const marker = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
  /** A program with the fuses of an Electron as it is downloaded. */
  const programWith = (...wires: string[]) => {
    const file = join(temporaryFolder(), 'modelport')
    const filling = Buffer.alloc(1_000, 7)
    const pieces = wires.map((wire) => {
      const head = Buffer.from([1, wire.length])
      return Buffer.concat([filling, Buffer.from(marker), head, Buffer.from(wire), filling])
    })
    writeFileSync(file, Buffer.concat(pieces))
    return file
  }

  test('the list has every fuse in the order of the binary', () => {
    const known = Object.values(FuseV1Options).filter((name) => typeof name === 'string')
    expect(fuses.map(({ name }) => name)).toEqual(known)
  })

  test('a release sets all nine fuses of Electron 45', async () => {
    const program = programWith('101100011')
    await setFuses(program, release)
    expect(await readFuses(program, release)).toEqual([
      'RunAsNode off',
      'EnableCookieEncryption on',
      'EnableNodeOptionsEnvironmentVariable off',
      'EnableNodeCliInspectArguments off',
      'EnableEmbeddedAsarIntegrityValidation on',
      'OnlyLoadAppFromAsar on',
      'LoadBrowserProcessSpecificV8Snapshot off',
      'GrantFileProtocolExtraPrivileges off',
      'WasmTrapHandlers on',
    ])
  })

  test('both halves of a universal app for macOS get the fuses', async () => {
    const program = programWith('101100011', '101100011')
    await setFuses(program, release)
    expect(readFileSync(program, 'latin1').split('010011001')).toHaveLength(3)
  })

  test('the fallback Electron has eight of them', async () => {
    const program = programWith('10110001')
    await setFuses(program, fallback)
    expect(await readFuses(program, fallback)).toHaveLength(8)
  })

  test.each([
    ['a fuse more, which nobody has decided', '1011000110', release],
    ['a fuse less', '10110001', release],
    ['a fuse more than the fallback', '101100011', fallback],
  ])('the build fails with an Electron that has %s', async (_what, wire, runtime) => {
    const program = programWith(wire)
    const outcome = await setFuses(program, runtime).then(
      () => 'built',
      ({ message }: Error) => message,
    )
    expect(outcome).toMatch(/fuse/)
    expect(readFileSync(program, 'latin1')).toContain(wire)
  })

  test.each([
    ['a state that is not as configured', '110011001'],
    ['a fuse less', '01001100'],
    ['a fuse more', '0100110011'],
  ])('a binary with %s is refused when its fuses are read back', async (_what, wire) => {
    await expect(readFuses(programWith(wire), release)).rejects.toThrow(/fuse/)
  })

  test.each([
    ['linux', 'out/modelport', 'modelport'],
    ['darwin', 'out/Modelport.app', undefined],
    ['win32', 'out/Modelport.exe', undefined],
  ])('on %s the fuses of %s are set', (electronPlatformName, program, executableName) => {
    const packager = {
      appInfo: { productFilename: 'Modelport' },
      ...(executableName && { executableName }),
    }
    const packed = { appOutDir: 'out', electronPlatformName, packager }
    expect(programOf(packed)).toBe(join(program))
  })

  test('electron-builder sets no fuse of its own', () => {
    expect(configuration(found)).not.toHaveProperty('electronFuses')
  })
})

test('packaging imports the packages of this lockfile, not others that electron-builder brings', () => {
  const { packages } = JSON.parse(readFileSync('packaging/package-lock.json', 'utf8'))
  const files = globSync('packaging/*.mjs')
  const imported = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/ from '([^'.]+)'/g)].map(([, name = '']) => name),
  )
  expect(files).not.toEqual([])
  expect(imported.filter((name) => `node_modules/${name}` in packages)).toEqual([])
})

test('a release has the Electron of the lockfile, an exact version', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  expect(devDependencies.electron).toMatch(/^\d+\.\d+\.\d+$/)
  expect(packages['node_modules/electron'].version).toBe(devDependencies.electron)
})

test('the files of a package have the date of the commit', async () => {
  const folder = temporaryFolder()
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args])
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@b.invalid']
  git('init', '--quiet')
  expect(await sourceDate(folder)).toBe('1767225600')
  const commit = ['commit', '--quiet', '--allow-empty', '--message=first']
  execFileSync('git', ['-C', folder, ...author, ...commit], {
    env: { ...process.env, GIT_COMMITTER_DATE: '1700000000 +0000' },
  })
  expect(await sourceDate(folder)).toBe('1700000000')
})

test('on Windows, the app has the name that the installer gives to its shortcut', () => {
  const config = configuration(found)
  const [, name] =
    /setAppUserModelId\('([^']+)'\)/.exec(readFileSync('src/main/index.ts', 'utf8')) ?? []
  expect(config).toHaveProperty('appId', name)
})

test('the bill of materials names every package of the program, and is the same for the same packages', () => {
  const program = { name: 'modelport', version: '1.0.0', packages: shippedPackages() }
  const bill = composeSbom(program)
  expect(composeSbom(program)).toEqual(bill)
  const { version } = JSON.parse(readFileSync('node_modules/fastify/package.json', 'utf8'))
  expect(bill.components).toContainEqual({
    type: 'library',
    'bom-ref': `pkg:npm/fastify@${version}`,
    name: 'fastify',
    version,
    purl: `pkg:npm/fastify@${version}`,
    licenses: [{ expression: 'MIT' }],
  })
  expect(bill.components.length).toBe(program.packages.length)
  expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})

test('the app accepts the feed that packaging writes, with the key that it printed', async () => {
  const outDir = temporaryFolder()
  const file = join(outDir, 'modelport-0.2.0-linux-x64.tar.gz')
  writeFileSync(file, 'package')
  const { privateKey, publicKey } = newUpdateKey()
  expect(publicKeyOf(privateKey)).toBe(publicKey)
  const date = new Date('2026-11-20T09:00:00Z')
  await writeFeed({ version: '0.2.0', files: [file], outDir, privateKey, notes: 'Faster.', date })
  const read = (suffix: string) => readFileSync(join(outDir, `${feedName()}${suffix}`), 'utf8')
  expect(readSignedFeed(read(''), read('.sig'), publicKey)).toEqual({
    version: '0.2.0',
    files: [
      {
        url: 'modelport-0.2.0-linux-x64.tar.gz',
        sha512: createHash('sha512').update('package').digest('base64'),
        size: 7,
      },
    ],
    releaseDate: date.toISOString(),
    releaseNotes: 'Faster.',
  })
})

describe('the Containerfile', () => {
  const text = readFileSync('packaging/headless/Containerfile', 'utf8')

  test('runs the service as an ordinary user, without a shell', () => {
    expect(readContainerfile(text)).toMatchObject({
      user: 'modelport',
      program: ['modelport', 'serve', '--data-dir', '/data'],
      stopSignal: 'SIGTERM',
    })
  })

  test('is read with its steps in order', () => {
    const recipe =
      'FROM base\n# why\nENV A=1\nRUN one \\\n && two\nHEALTHCHECK CMD ["a"]\nENTRYPOINT ["b"]\nCMD ["c"]\n'
    expect(readContainerfile(recipe)).toEqual({
      base: 'base',
      steps: [
        { name: 'ENV', value: 'A=1' },
        { name: 'RUN', value: 'one  && two' },
      ],
      user: '',
      program: ['b', 'c'],
      healthcheck: ['a'],
      stopSignal: '',
    })
  })

  test.each(['ADD a b', 'CMD serve', 'nothing'])('is not guessed at: %s', (line) => {
    expect(() => readContainerfile(`${text}${line}\n`)).toThrow(/^Not /)
  })
})

test('each node of the Compose file keeps its data folder, with rows that wait to be stored', () => {
  const { services, volumes } = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true })
  for (const name of ['node-1', 'node-2']) {
    expect(services[name]).toMatchObject({ tmpfs: ['/tmp'], volumes: [`${name}:/data`] })
    expect(volumes).toHaveProperty(name)
  }
})
