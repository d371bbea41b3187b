import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ensureSystemPackages } from '../../scripts/setup/system-packages.mjs'

/** Everything that a window needs, but ALSA's library. */
const installed =
  'python3 make g++ python3-pip libsecret-1-dev unzip libgtk-3-0t64 libnss3 libgbm1 '
const needs = { window: true, tests: false }

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modelport-packages-'))
  await makeProgram('dpkg-query', `for n in ${installed}; do echo "ii  $n"; done; exit 1`)
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`)
  return () => vi.unstubAllEnvs()
})

afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

async function makeProgram(name: string, script: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

/** A release with these packages, of which it has lists after `apt-get update`. */
async function makeRelease(names: string[]): Promise<void> {
  const cases = names.map((name) => `*" ${name} "*) exit 0;;`).join(' ')
  await makeProgram('apt-cache', `case " $* " in ${cases} *) exit 100;; esac`)
}

function asUser(id: number): void {
  vi.spyOn(process, 'getuid').mockReturnValue(id)
}

describe.skipIf(!existsSync('/usr/bin/dpkg-query'))('a package that was renamed', () => {
  test.each([
    ['before the change', ['libasound2'], 'libasound2'],
    ['after it', ['libasound2t64'], 'libasound2t64'],
    ['that has the old name for other packages', ['libasound2', 'libasound2t64'], 'libasound2t64'],
    ['whose lists are not there yet', [], 'libasound2'],
  ])('has its name in the advice for a release %s', async (_release, names, expected) => {
    await makeRelease(names)
    asUser(1000)

    await expect(ensureSystemPackages(needs)).rejects.toMatchObject({
      message: `System packages are missing: ${expected}.`,
      wayOut: expect.stringContaining(`apt-get install -y ${expected}'`),
    })
  })

  test('is installed by the name that apt knows after its update', async () => {
    await makeRelease([])
    await makeProgram('renamed', 'exit 0')
    const log = join(folder, 'log')
    await makeProgram(
      'apt-get',
      `echo "$@" >> ${log}; case "$*" in *update) cp ${join(folder, 'renamed')} ${join(folder, 'apt-cache')};; esac`,
    )
    asUser(0)

    const { detail } = await ensureSystemPackages(needs)

    expect(detail).toBe('System packages: installed libasound2t64')
    expect(await readFile(log, 'utf8')).toMatch(/ update\n.* install -y .* libasound2t64\n$/)
  })

  test('is not missing under its later name', async () => {
    await makeProgram('dpkg-query', `for n in ${installed} libasound2t64; do echo "ii  $n"; done`)
    asUser(1000)

    expect(await ensureSystemPackages(needs)).toMatchObject({ already: true })
  })
})
