/** What `npm run package` decides, without building: `npm run package:check` tests the built app. */
import { readFileSync } from 'node:fs'
import { FuseV1Options } from '@electron/fuses'
import { expect, test } from 'vitest'
import { fuses } from '../packaging/electron-builder.mjs'
import { composeSbom } from '../packaging/sbom.mjs'
import { shippedPackages } from '../scripts/third-party-notices.mjs'

const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1)

test('every fuse of Electron is decided', () => {
  const known = Object.values(FuseV1Options).filter((name) => typeof name === 'string')
  // Electron 45 has it, the fallback does not. Its default, on, is right for the sandbox, which runs WebAssembly.
  const decided = [...Object.keys(fuses), 'wasmTrapHandlers']
  expect(known.map((name) => lowerFirst(name)).toSorted()).toEqual(decided.toSorted())
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
