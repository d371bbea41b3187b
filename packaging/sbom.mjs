/** The software bill of materials of the program, as CycloneDX 1.6. */
import { createHash } from 'node:crypto'

/**
 * @typedef {{ name: string, version: string, license: string }} Shipped
 * @typedef {{ bomFormat: string, specVersion: string, serialNumber: string, version: number, metadata: object, components: object[] }} Bill
 * @param {{ name: string, version: string, packages: readonly Shipped[] }} program
 * @returns {Bill} the same for the same packages: its serial number is derived from them, and it has no date
 */
export function composeSbom({ name, version, packages }) {
  const components = packages.map((shipped) => ({
    type: 'library',
    'bom-ref': purlOf(shipped),
    name: shipped.name,
    version: shipped.version,
    purl: purlOf(shipped),
    licenses: [{ expression: shipped.license }],
  }))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(components))}`,
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': `${name}@${version}`, name, version },
    },
    components,
  }
}

/** @param {Shipped} shipped */
function purlOf({ name, version }) {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`
}

/** @param {string} text */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
