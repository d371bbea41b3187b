import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeInstallationList } from '../../../packaging/installation-list.mjs'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { examineInstallation } from './installation.ts'

async function packaged() {
  const root = temporaryFolder()
  const code = join(root, 'out', 'main')
  mkdirSync(code, { recursive: true })
  for (const name of ['one.js', 'two.js', 'three.js']) writeFileSync(join(code, name), name)
  await writeInstallationList(root)
  return { root, code }
}

test('an installation is as it was packaged', async () => {
  const { code } = await packaged()
  expect(await examineInstallation(code)).toMatchObject({
    status: 'ok',
    message: expect.stringMatching(/^Modelport \d+\.\d+\.\d+: all 3 files are as packaged\.$/),
  })
})

test('files that were changed, and files that are missing, are named', async () => {
  const { code } = await packaged()
  writeFileSync(join(code, 'one.js'), 'another program')
  rmSync(join(code, 'three.js'))
  expect(await examineInstallation(code)).toMatchObject({
    status: 'fail',
    message: expect.stringContaining('out/main/one.js (changed), out/main/three.js (missing).'),
    wayOut: expect.stringContaining('Install Modelport again'),
  })
})

test('a list of another version or another form is a problem', async () => {
  const { root, code } = await packaged()
  writeFileSync(join(root, 'installation.json'), '{"version":"0.0.1","files":{}}')
  expect((await examineInstallation(code)).message).toContain('belong to 0.0.1')
  writeFileSync(join(root, 'installation.json'), '{"version":1}')
  expect(await examineInstallation(code)).toMatchObject({ status: 'fail' })
})

test('a checkout has no list, and knows its version', async () => {
  expect(await examineInstallation()).toMatchObject({
    status: 'ok',
    message: expect.stringMatching(/^Modelport \d+\.\d+\.\d+, from its source/),
  })
})
